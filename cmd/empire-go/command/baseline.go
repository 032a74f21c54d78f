package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/accept"
	"github.com/empire-go/empire-go/report"
	"github.com/empire-go/empire-go/scenarios"
)

func newBaseline() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline [packages]",
		Short: "Write the violations that there are into a file, so that only new ones count",
		Long: `Check packages as empire-go check does, and write all violations into the file
` + accept.BaselineFile + ` in the root of the module. From then on check does not tell and
count them any more, but says that they are accepted. Each entry has a reason, and may have
a day after which it counts again. They stay as they are when the baseline is written anew;
what is not there any more is left out.

A comment does the same for one violation, in a line of its interleaving or above it:

  //empire:ignore 3f2a91c0 the two counters are read for a rough overview only

The id is that of the violation, or of its cause. A reason is demanded, and what accepts
nothing is reported. The id of what check --class finds has its class in front of it, so
that checks of atomic sets do not ask for it:

  //empire:ignore deadlock:9afb62c9 the two are never called at once

Exit status: 0 the file was written, 2 the request could not be carried out.`,
		Example: `  empire-go baseline --reason "before we began to check" ./...
  empire-go baseline --reason "rewritten in May" --expires 2027-05-31 ./store`,
		Args: cobra.ArbitraryArgs,
	}
	query := addQueryFlags(cmd)
	var template accept.Known
	var classes listValue
	f := cmd.Flags()
	f.Var(&classes, "class", "accept what check --class finds of these `classes`: "+
		strings.Join(scenarios.AskedClasses(), ", ")+", some of them, or all")
	f.StringVar(&template.Reason, "reason", "", "why what is new is accepted, as `text`")
	f.StringVar(&template.Who, "who", "", "who accepts it, as a `name` (default: git config user.name)")
	f.StringVar(&template.Expires, "expires", "", "the last `day` on which it is accepted, as 2026-12-31")
	cmd.RunE = func(cmd *cobra.Command, packages []string) error {
		request, err := query.build(packages)
		if err != nil {
			return err
		}
		if template.Reason == "" {
			return inputError("--reason", "needs a text; write --reason and why the violations are accepted")
		}
		if err := accept.CheckDay(template.Expires); err != nil {
			return asInputError("--expires", err)
		}
		if len(classes) > 0 {
			if request.Classes, err = classesOf(cmd, classes); err != nil {
				return err
			}
		}
		user, _ := git(cmd.Context(), "config", "user.name")
		template.Who = cmp.Or(template.Who, user)
		return writeBaseline(cmd, request, query.isNamed(), template)
	}
	return cmd
}

// writeBaseline checks, and writes what was found.
func writeBaseline(cmd *cobra.Command, request empire.Request, named bool, template accept.Known) error {
	request.Harm = len(request.Classes) == 0 || slices.Contains(request.Classes, scenarios.DataRaceClass)
	request.Blocking = len(request.Classes) == 0 && !named
	result, err := empire.Run(cmd.Context(), request)
	if err != nil {
		return err
	}
	if err := cmd.Context().Err(); err != nil {
		return err // what is missing would seem new next time
	}
	report.SetCauses(result)
	accept.Comments(result)
	b, name, err := (&settleFlags{}).read(cmd, result.ModuleRootDir)
	if err != nil {
		return err
	}
	if b == nil {
		b = &accept.Baseline{Packages: request.Packages, Tests: request.Tests, Tags: request.Tags}
		name = fromHere(filepath.Join(result.ModuleRootDir, accept.BaselineFile))
	}
	whole := !named && accept.Complete(result) && b.Covers(request)
	covers := func(class string) bool { return whole && accept.IsAsked(request, class) }
	updated, added, dropped := b.Update(result, covers, template)
	if err := writeFile(name, name, nil, updated.Write); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %d new, %d left out\n", name,
		count(len(updated.Known), "known violation"), added, dropped)
	return err
}
