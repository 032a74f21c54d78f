package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/dynamic/record"
)

// What runs have in common that record all that goroutines share.

// makeMain builds a program so, and returns it with its executable.
func (o *runFlags) makeMain(cmd *cobra.Command, packages []string, phase func(string)) (
	program *record.Program, file string, err error) {
	if err := list(cmd.Context(), o.request.Tags, packages).isProgram(packages); err != nil {
		return nil, "", err
	}
	phase("building the program with hooks")
	program, err = o.makeFull(cmd, packages, false)
	if err != nil {
		return nil, "", err
	}
	if file, err = program.Main(cmd.Context()); err != nil {
		program.Close()
		return nil, "", inputError(strings.Join(packages, " "), "%v", err)
	}
	phase("")
	return program, file, nil
}

// makeTests does so with tests.
func (o *runFlags) makeTests(cmd *cobra.Command, packages []string, phase func(string)) (*record.Program, error) {
	phase("building the tests with hooks")
	return o.makeFull(cmd, packages, true)
}

// makeFull builds a program, or tests, so.
func (o *runFlags) makeFull(cmd *cobra.Command, packages []string, tests bool) (*record.Program, error) {
	program, err := record.Make(cmd.Context(), record.Build{Dir: ".", Packages: packages, Tests: tests,
		Tags: o.request.Tags, Full: true, Leaks: o.blocked})
	if err != nil {
		return nil, inputError(strings.Join(packages, " "), "%v", err)
	}
	return program, nil
}

// writeReport writes what was found in a run to where --report says, and to standard error how the run has ended.
func (o *runFlags) writeReport(cmd *cobra.Command, outcome record.Outcome, write func(io.Writer) error) error {
	stderr := cmd.ErrOrStderr()
	var err error
	if o.report == "" {
		err = write(stderr)
	} else {
		err = writeFile("--report", o.report, cmd.OutOrStdout(), write)
	}
	if err != nil {
		return asInputError("report", err)
	}
	if outcome.Text != "" {
		fmt.Fprintf(stderr, "empire-go: the program ended with %s\n", outcome.Text)
	}
	if o.noise {
		fmt.Fprintf(stderr, "empire-go: noise with --seed %d\n", o.seed)
	}
	return nil
}
