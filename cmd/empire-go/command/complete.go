package command

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/tools/go/packages"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// choices are the values of flags that have the same ones in every command.
var choices = map[string][]string{
	"units":   {"auto", "exported", "annotated"},
	"unitfor": {"auto", "all", "none", "annotated"},
	"locks":   {"sound", "empire"},
	"engine":  {"refine", "prefix"},
	"sets":    {"groups", "each", "pairs", "all"},
	"fail-on": {empire.HarmSeen, empire.HarmPossible, empire.HarmUnknown, string(failOnAny)},
}

// completeValues lets shells complete the values of flags, in all commands.
func completeValues(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case choices[f.Name] != nil:
			completeFrom(cmd, f.Name, choices[f.Name]...)
		case f.Name == "type":
			complete(cmd, f.Name, completeType)
		case f.Name == "scenario":
			complete(cmd, f.Name, completeScenario)
		case f.Name == "tags" || f.Name == "seed":
			complete(cmd, f.Name, cobra.NoFileCompletions)
		}
	})
	for _, child := range cmd.Commands() {
		completeValues(child)
	}
}

// complete defines what shells complete a flag with.
func complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic(err) // no such flag, or defined before
	}
}

// completeFrom lets shells complete a flag with one of the values.
func completeFrom(cmd *cobra.Command, flag string, values ...string) {
	complete(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completeScenario completes the number or the name of a scenario.
func completeScenario(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var all []cobra.Completion
	for _, s := range scenarios.Table {
		all = append(all, cobra.CompletionWithDesc(s.Name, fmt.Sprintf("scenario %d", s.Number)),
			cobra.CompletionWithDesc(strconv.Itoa(s.Number), s.Name))
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeType completes a struct type of the packages named, or else of those below the
// current directory: with its package, if it has the name of another one.
func completeType(_ *cobra.Command, patterns []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	found, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax},
		patterns...)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	declared := map[string][]string{} // packages, by the name of the type
	for _, p := range found {
		for _, file := range p.Syntax {
			for _, name := range structsIn(file) {
				declared[name] = append(declared[name], p.Name)
			}
		}
	}
	var all []cobra.Completion
	for name, in := range declared {
		if len(in) == 1 {
			all = append(all, name)
			continue
		}
		for _, pkg := range in {
			all = append(all, pkg+"."+name)
		}
	}
	slices.SortFunc(all, strings.Compare)
	return slices.Compact(all), cobra.ShellCompDirectiveNoFileComp
}

// structsIn returns the names of the struct types that a file declares outside of functions.
func structsIn(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		declaration, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range declaration.Specs {
			if spec, ok := s.(*ast.TypeSpec); ok {
				if _, ok := spec.Type.(*ast.StructType); ok {
					names = append(names, spec.Name.Name)
				}
			}
		}
	}
	return names
}
