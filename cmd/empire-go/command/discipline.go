package command

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/rewrite"
	"github.com/empire-go/empire-go/report"
)

func newDiscipline() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "discipline [packages]",
		Short: "Print which lock guards which fields, and where it does not",
		Long: `Print for each type which lock guards which fields, by all accesses that programs and
clients make to them once an object is made, and each place where that lock is not held.
The same of package variables.

With --write, comments in the source say so where it always holds:

  // mu protects count, data
  mu sync.Mutex

What a comment says already is not said again, and nothing else is changed. Comments are
evidence for check and candidates: they say what is meant where code breaks it.

It is evidence, not a proof: what is accessed through pointers that change may not be seen.
An access without the lock may be meant; check says whether one can do harm.

Exit status: 0; 2 if the packages do not load.`,
		Example: `  empire-go discipline ./...
  empire-go discipline --type store.Cache ./...
  empire-go discipline --diff ./...
  empire-go discipline --format json ./...`,
		Args: cobra.ArbitraryArgs,
	}
	var r empire.Request
	var write, diff bool
	format, timeout, memory := "text", durationValue(empire.DefaultTimeout), sizeValue(empire.DefaultMemory)
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&r.Type, "type", "", "only the type `T`, pkg.T or path/of/pkg.T")
	f.BoolVar(&r.Tests, "tests", false, "run the packages' tests as well: test functions are entry points")
	f.StringVar(&r.Tags, "tags", "", "build `tags`, separated by commas")
	f.BoolVar(&write, "write", false, "write a comment at each lock that is held at all accesses to what it guards")
	f.BoolVar(&diff, "diff", false, "print the comments that --write would write, as a diff")
	f.Var(&timeout, "timeout", "`time` for each stage")
	f.Var(&memory, "memory", "memory `size`")
	f.StringVar(&format, "format", "text", "print the `format` text or json")
	completeFrom(cmd, "format", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, packages []string) error {
		request := r
		request.Packages, request.Timeout, request.Memory = packages, time.Duration(timeout), int64(memory)
		switch {
		case format != "text" && format != "json":
			return inputError("--format", "no format %q; write text or json", format)
		case diff && cmd.Flags().Changed("format"):
			return inputError("--format", "has no effect with --diff; write one of them")
		}
		result, err := empire.LockDisciplines(cmd.Context(), request)
		if err != nil {
			return err
		}
		if write || diff {
			if err := writeComments(cmd, result, write, diff); err != nil || diff {
				return err
			}
		}
		if format == "json" {
			return report.DisciplineJSON(cmd.OutOrStdout(), result)
		}
		return report.Discipline(cmd.OutOrStdout(), result, textOptions(cmd.OutOrStdout()))
	}
	return cmd
}

// writeComments writes, or shows, comments that say which lock protects what.
func writeComments(cmd *cobra.Command, result *empire.DisciplineResult, write, diff bool) error {
	comments, err := rewrite.LockComments(result.ModuleRootDir, result)
	if err != nil {
		return asInputError("--write", err)
	}
	for _, why := range comments.Left {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: no comment: %s\n", why)
	}
	if diff {
		for _, f := range comments.Files {
			if _, err := cmd.OutOrStdout().Write(f.Diff()); err != nil {
				return err
			}
		}
	}
	if !write {
		return nil
	}
	if err := rewrite.Write(result.ModuleRootDir, comments.Files); err != nil {
		return asInputError("--write", err)
	}
	for _, f := range comments.Files {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: wrote %s\n", f.Path)
	}
	return nil
}
