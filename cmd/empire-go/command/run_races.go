package command

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic"
	"github.com/empire-go/empire-go/dynamic/racing"
	"github.com/empire-go/empire-go/dynamic/record"
)

// seesRaces tells whether the data races that a run has are asked for.
func (o *runFlags) seesRaces() bool { return !o.predict.on && asksFor(o.predict.classes, "data-race") }

// seesRacesOnly tells whether nothing else is asked for.
func (o *runFlags) seesRacesOnly() bool {
	return o.seesRaces() && !asksFor(o.predict.classes, atomicityClass)
}

// tellNothing says that no units of work are watched, and which flags then do nothing.
func (o *runFlags) tellNothing(cmd *cobra.Command, nothing *empire.NothingError) {
	effect := ""
	if o.seesRaces() && (o.noise || o.isGiven("trace")) {
		effect = "; so nothing is recorded or disturbed: --noise, --seed and --trace do nothing"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: no units of work were watched: %v%s\n", nothing, effect)
}

// withRaces lets a run write its data races into a file, if they are asked for, and reads them when it has ended.
func (o *runFlags) withRaces(r record.Run, run func(record.Run) error) (all []racing.Race, err error) {
	if !o.seesRaces() {
		return nil, run(r)
	}
	file, err := os.CreateTemp("", "empire-races-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	r.Races = file.Name()
	if err := run(r); err != nil {
		return nil, err
	}
	all, err = racing.Read(file)
	return append([]racing.Race{}, all...), err
}

// runRaces runs a program and says which data races it has had.
func (o *runFlags) runRaces(cmd *cobra.Command, packages, args []string, phase func(string)) error {
	known := list(cmd.Context(), o.request.Tags, packages)
	if err := known.isProgram(packages); err != nil {
		return err
	}
	phase("building the program")
	program, err := o.makeRacing(packages, false)
	if err != nil {
		return err
	}
	defer program.Close()
	file, err := program.Main(cmd.Context())
	if err != nil {
		return inputError(strings.Join(packages, " "), "%v", err)
	}
	phase("")
	outcome, result, err := o.raced(cmd, packages, record.Run{File: file, Args: args})
	if err != nil {
		return err
	}
	if err := o.writeResult(cmd, result, outcome, program); err != nil {
		return err
	}
	return racesStatus(result, outcome)
}

// testRaces does so with the tests of packages.
func (o *runFlags) testRaces(cmd *cobra.Command, packages []string, all []tested, args []string,
	phase func(string)) error {
	phase("building the tests")
	program, err := o.makeRacing(packages, true)
	if err != nil {
		return err
	}
	defer program.Close()
	return o.worstOf(cmd, program, all, args, phase, func(part *runFlags, t tested, r record.Run) (testRun, error) {
		outcome, result, err := part.raced(cmd, []string{t.path}, r)
		if err != nil {
			return testRun{}, err
		}
		return testRun{outcome.Text != "", func() error { return part.writeResult(cmd, result, outcome, program) },
			racesStatus(result, outcome)}, nil
	})
}

// makeRacing returns a program that finds its data races and records nothing else.
func (o *runFlags) makeRacing(packages []string, tests bool) (*record.Program, error) {
	program, err := record.Plain(record.Build{Dir: ".", Packages: packages, Tests: tests, Tags: o.request.Tags,
		Races: true})
	if err != nil {
		return nil, inputError("--class", "%v", err)
	}
	return program, nil
}

// raced runs such a program.
func (o *runFlags) raced(cmd *cobra.Command, packages []string, r record.Run) (
	outcome record.Outcome, result *empire.Result, err error) {
	o.connect(cmd, &r)
	all, err := o.withRaces(r, func(r record.Run) (err error) {
		outcome, err = r.Plain(cmd.Context())
		return err
	})
	if err != nil {
		return outcome, nil, err
	}
	path, dir := mainModule(cmd.Context())
	result = dynamic.RacesResult(all, dir)
	result.ModuleRoot = path
	result.Invocation.Packages, result.Invocation.Tags = packages, o.request.Tags
	return outcome, result, nil
}

// racesStatus is the exit status for the data races of a run.
func racesStatus(result *empire.Result, outcome record.Outcome) error {
	switch {
	case result.Verdict == empire.VerdictViolation:
		return status(statusViolation)
	case outcome.Text != "":
		return status(statusUnknown)
	}
	return nil
}
