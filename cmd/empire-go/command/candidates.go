package command

import (
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
)

func newCandidates() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "candidates [packages]",
		Short: "List what could be checked, and why",
		Long: `List the atomic sets that check looks at if it is told nothing: fields of a type,
or package variables, that belong together by what the program does with them, the
best first. With each comes the evidence: which lock is held how often and where it
is not, which functions access the fields together, which objects goroutines share;
and the command that checks it. What is no candidate has a line for each reason.

What the code does not show, comments in it can say: //empire:atomic NAME on fields
or package variables makes those with one name a set; //empire:unit, //empire:nounit
and //empire:unitfor PARAMETER on functions say what is a unit of work.

Exit status: 0, also if there is nothing to check; 2 if the packages do not load.`,
		Example: `  empire-go candidates ./...
  empire-go candidates --tests ./store
  empire-go candidates --format json ./...`,
		Args: cobra.ArbitraryArgs,
	}
	var r empire.Request
	var all bool
	format, timeout, memory := "text", durationValue(empire.DefaultTimeout), sizeValue(empire.DefaultMemory)
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&r.Type, "type", "", "only the type `T`, pkg.T or path/of/pkg.T")
	f.BoolVar(&r.ClientFields, "client-fields", false, "let clients of a library touch exported fields as well")
	f.Var(&timeout, "timeout", "`time` for each stage")
	f.Var(&memory, "memory", "memory `size`")
	f.BoolVar(&r.Tests, "tests", false, "run the packages' tests as well: test functions are entry points")
	f.StringVar(&r.Tags, "tags", "", "build `tags`, separated by commas")
	f.BoolVar(&all, "all", false, "list each type that is no candidate, in a line of its own")
	f.StringVar(&format, "format", "text", "print the `format` text or json")
	completeFrom(cmd, "format", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, packages []string) error {
		request := r
		request.Packages, request.Timeout, request.Memory = packages, time.Duration(timeout), int64(memory)
		if format != "text" && format != "json" {
			return inputError("--format", "no format %q; write text or json", format)
		}
		result, err := empire.Candidates(cmd.Context(), request)
		if err != nil {
			return err
		}
		if format == "json" {
			return report.CandidatesJSON(cmd.OutOrStdout(), result)
		}
		options := textOptions(cmd.OutOrStdout())
		options.All = all
		return report.Candidates(cmd.OutOrStdout(), result, options)
	}
	return cmd
}
