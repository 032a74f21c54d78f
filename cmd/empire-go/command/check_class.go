package command

import (
	"slices"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/standstill"
	"github.com/empire-go/empire-go/scenarios"
)

// atomicOnly is the flags of check that are about atomic sets.
var atomicOnly = []string{"type", "fields", "vars", "site", "scenario", "pattern", "diff", "fix", "emit-test",
	"fail-on", "strict"}

// dataRaceClass is the class that is asked about all memory that goroutines share.
const dataRaceClass = "data-race"

// checkClasses carries out check --class.
func checkClasses(cmd *cobra.Command, request empire.Request, classes []string, settling *settleFlags,
	output *outputFlags, confirm bool) (err error) {
	if request.Classes, err = classesOf(cmd, classes); err != nil {
		return err
	}
	request.Harm = slices.Contains(request.Classes, dataRaceClass)
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
	for _, flag := range atomicOnly {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed {
			return nil, inputError("--"+flag, "is about atomic sets, and --class asks about something else; write one of them")
		}
	}
	if slices.Contains(classes, "all") {
		return append([]string{dataRaceClass}, scenarios.ClassNames()...), nil
	}
	return classes, nil
}
