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
	"new-from", "fail-on", "strict"}

// checkClasses carries out check --class.
func checkClasses(cmd *cobra.Command, request empire.Request, classes []string, query *queryFlags, output *outputFlags,
	confirm bool) error {
	for _, flag := range atomicOnly {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed {
			return inputError("--"+flag, "is about atomic sets, and --class asks about something else; write one of them")
		}
	}
	if slices.Contains(classes, "all") {
		classes = scenarios.ClassNames()
	}
	request.Classes = classes
	if err := request.Normalize(); err != nil {
		return err
	}
	if err := output.check(cmd); err != nil {
		return err
	}
	result, err := output.run(cmd, request)
	if err != nil {
		return err
	}
	if confirm {
		progress := newProgress(cmd.ErrOrStderr())
		progress.show("running the programs")
		err := standstill.Confirm(cmd.Context(), ".", result)
		progress.show("")
		if err != nil {
			return err
		}
	}
	if err := output.write(cmd.OutOrStdout(), result); err != nil {
		return err
	}
	return exitStatus(result.Verdict)
}
