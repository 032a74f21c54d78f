package command

import (
	"slices"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/standstill"
	"github.com/empire-go/empire-go/scenarios"
)

// atomicOnly is the flags of check that are about atomic sets, and namesSet those that say what memory is meant.
var (
	atomicOnly = []string{"scenario", "pattern", "diff", "fix", "emit-test", "fail-on", "strict"}
	namesSet   = []string{"type", "fields", "vars", "site"}
)

// checkClasses carries out check --class.
func checkClasses(cmd *cobra.Command, request empire.Request, classes []string, settling *settleFlags,
	output *outputFlags, confirm bool) (err error) {
	if request.Classes, err = classesOf(cmd, classes); err != nil {
		return err
	}
	request.Harm = slices.Contains(request.Classes, scenarios.DataRaceClass)
	if err := request.Normalize(); err != nil {
		return err
	}
	if err := output.check(cmd); err != nil {
		return err
	}
	if err := settling.check(cmd); err != nil {
		return err
	}
	result, err := output.run(cmd, request)
	if err != nil {
		return err
	}
	if err := settling.settle(cmd, request, false, result); err != nil {
		return err
	}
	if confirm {
		progress := newProgress(cmd.ErrOrStderr())
		progress.show("running the programs")
		err := standstill.Confirm(cmd.Context(), ".", result, standstill.Input{})
		progress.show("")
		if err != nil {
			return err
		}
	}
	if err := output.write(cmd.OutOrStdout(), result); err != nil {
		return err
	}
	return exitStatus(verdictOf(result))
}

// classesOf returns the classes that are asked for, and checks that nothing is said about atomic sets.
func classesOf(cmd *cobra.Command, classes []string) ([]string, error) {
	flags := atomicOnly
	if len(classes) != 1 || classes[0] != scenarios.DataRaceClass { // which may be about some memory only
		flags = append(slices.Clone(namesSet), atomicOnly...)
	}
	for _, flag := range flags {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed {
			return nil, inputError("--"+flag, "is about atomic sets, and --class asks about something else; write one of them")
		}
	}
	if slices.Contains(classes, "all") {
		return scenarios.AskedClasses(), nil
	}
	return classes, nil
}
