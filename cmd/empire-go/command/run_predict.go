package command

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/predict"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/standstill"
	"github.com/empire-go/empire-go/dynamic/steer"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// runPredictFlags are the flags of run that are about predictions.
type runPredictFlags struct {
	on        bool
	classes   []string
	confirm   bool
	schedules string
}

// add adds the flags of run and test that are about predictions.
func (p *runPredictFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&p.on, "predict", false, "say which violations could have happened in another order of the same run, too")
	addPredictedClasses(f, &p.classes)
}

// addConfirm adds the one of run alone.
func (p *runPredictFlags) addConfirm(f *pflag.FlagSet) {
	f.BoolVar(&p.confirm, "confirm", false, "with --predict: lead the program along each scenario, and to each "+
		"other error, that is predicted, and see whether it happens")
	f.StringVar(&p.schedules, "schedules", "empire-schedules", "with --confirm: write the schedules of what happens into "+
		"`DIR`")
}

// checkPredict checks the flags that are about predictions.
func (o *runFlags) checkPredict() error {
	p := &o.predict
	switch {
	case !p.on && slices.ContainsFunc(p.classes, func(c string) bool { return c != atomicityClass && c != "data-race" }):
		return inputError("--class", "of what has happened in a run, only atomicity and data-race are looked for so; "+
			"write --predict, too, or --blocked instead")
	case o.seesRacesOnly() && (o.isGiven("trace") || o.noise || o.isGiven("seed")):
		return inputError("--class", "for data races alone nothing is recorded or disturbed; write --class "+
			"atomicity,data-race with --trace, --noise or --seed")
	case o.seesRaces() && (o.blocked || o.cooperable.on):
		return inputError("--class", "needs another record of a run than --blocked and --cooperable; write one of them")
	case p.confirm && !p.on:
		return inputError("--confirm", "is for --predict; write both")
	case p.on && o.cooperable.on:
		return inputError("--predict", "and --cooperable need different records of a run; write one of them")
	case p.on && o.format != "text" && o.format != "json":
		return inputError("--format", "no format %q with --predict; write text or json", o.format)
	}
	return checkPredictedClasses(p.classes)
}

// predicted is a run and what was predicted from it.
type predicted struct {
	report  *predict.Report
	unit    string // what events are counted by
	outcome record.Outcome
}

// predictRun runs a program that records what the plan says, and predicts from the run.
// Without a plan all is recorded, and there are no units of work.
func (o *runFlags) predictRun(cmd *cobra.Command, plan *watch.Plan, program *record.Program, r record.Run) (
	p predicted, err error) {
	kept, outcome, err := o.keep(cmd, program, r)
	if err != nil {
		return p, err
	}
	if o.trace == "" {
		defer os.Remove(kept)
	}
	flags := predictFlags{format: o.format, classes: o.predict.classes,
		blocks: "units", scenario: "all", work: predict.Defaults.Explore.Paths,
		window: predict.Defaults.Window, isGiven: func(string) bool { return false }}
	report, src, err := predictFile(cmd, kept, flags, func(p *predict.Options) {
		if plan == nil {
			p.NoBlocks = true
		}
		if !p.NoBlocks {
			p.Scenarios = plan.Policy.Table()
		}
	})
	if err != nil {
		return p, err
	}
	return predicted{report, src.Unit(), outcome}, nil
}

// watchesAll tells whether nothing is predicted of units of work: then all that can be shared is recorded.
func (o *runFlags) watchesAll() bool {
	return o.predict.on && !asksFor(o.predict.classes, atomicityClass)
}

// hasOthers tells whether something else than units of work is asked for.
func (o *runFlags) hasOthers() bool {
	return len(o.predict.classes) > 1 || o.predict.classes[0] != atomicityClass
}

// runPredictAll predicts from a run of a program that records all.
func (o *runFlags) runPredictAll(cmd *cobra.Command, packages, args []string, phase func(string)) error {
	program, file, err := o.makeMain(cmd, packages, phase)
	if err != nil {
		return err
	}
	defer program.Close()
	return o.runPredict(cmd, packages, args, nil, program, file)
}

// testPredictAll does so with tests.
func (o *runFlags) testPredictAll(cmd *cobra.Command, packages []string, all []tested, args []string,
	phase func(string)) error {
	program, err := o.makeTests(cmd, packages, phase)
	if err != nil {
		return err
	}
	defer program.Close()
	return o.testPredict(cmd, nil, program, all, args, phase)
}

// runPredict predicts from a run of a program.
func (o *runFlags) runPredict(cmd *cobra.Command, packages, args []string, plan *watch.Plan, program *record.Program,
	file string) error {
	p, err := o.predictRun(cmd, plan, program, record.Run{File: file, Args: args})
	if err != nil {
		return err
	}
	var confirmed *empire.Result
	if o.predict.confirm && len(p.report.Patterns)+blockingOf(p.report) > 0 {
		if confirmed, err = o.confirm(cmd, packages, args, p.report, program); err != nil {
			return err
		}
	}
	if err := o.writePredicted(cmd, strings.Join(packages, " "), p, confirmed); err != nil {
		return err
	}
	return predictionStatus(p.report)
}

// testPredict predicts from runs of the tests of packages.
func (o *runFlags) testPredict(cmd *cobra.Command, plan *watch.Plan, program *record.Program, all []tested,
	args []string, phase func(string)) error {
	seen, unknown := false, false
	failed, err := o.eachTest(cmd, program, all, args, phase, func(i int, t tested, r record.Run) (testRun, error) {
		part := *o
		part.report, part.trace = numbered(o.report, i, len(all)), numbered(o.trace, i, len(all))
		p, err := part.predictRun(cmd, plan, program, r)
		if err != nil {
			return testRun{}, err
		}
		seen = seen || p.report.Found() > 0
		unknown = unknown || !p.report.Known()
		return testRun{p.outcome.Text != "", func() error { return part.writePredicted(cmd, t.path, p, nil) }, nil}, nil
	})
	switch {
	case err != nil:
		return err
	case seen:
		return status(statusViolation)
	case failed || unknown:
		return status(statusUnknown)
	}
	return nil
}

// writePredicted writes what was predicted, and what became of it when the program was led along it.
func (o *runFlags) writePredicted(cmd *cobra.Command, name string, p predicted, confirmed *empire.Result) error {
	write := func(w io.Writer) error {
		if o.format == "json" {
			return writePredictionJSON(w, p.report, confirmed)
		}
		if err := writePrediction(w, name, p.report, p.unit); err != nil {
			return err
		}
		return writeConfirmations(w, p.report, confirmed)
	}
	if err := o.writeReport(cmd, p.outcome, write); err != nil {
		return err
	}
	if p.report.EndsEarly != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %v\n", p.report.EndsEarly)
	}
	return nil
}

// confirm leads the program along each scenario, deadlock and data race that is predicted.
func (o *runFlags) confirm(cmd *cobra.Command, packages, args []string, report *predict.Report,
	program *record.Program) (*empire.Result, error) {
	result, err := report.Result(&program.Header)
	if err != nil {
		return nil, err
	}
	if named := list(cmd.Context(), o.request.Tags, packages).named; len(named) == 1 {
		packages = named
	}
	result.Invocation.Packages, result.Invocation.Tags = packages, o.request.Tags
	c := confirmFlags{schedules: o.predict.schedules, time: durationValue(steer.DefaultBudget.Time), args: args}
	if len(report.Patterns) > 0 {
		if err = c.confirm(cmd.Context(), result, ".", cmd.ErrOrStderr()); err != nil {
			return nil, err
		}
	}
	if blockingOf(report) > 0 {
		result.Blocking = append(result.Blocking, *report.Blocking(&program.Header, packages[0]))
		err = standstill.Confirm(cmd.Context(), ".", result, standstill.Input{Args: args})
	}
	return result, err
}

// blockingOf is how many findings there are in the form of those about blocking.
func blockingOf(r *predict.Report) int { return len(r.Deadlocks) + len(r.Races) + len(r.Swaps) }

// writeConfirmations says which of the scenarios happened when the program was led along them.
func writeConfirmations(w io.Writer, report *predict.Report, result *empire.Result) error {
	if result == nil {
		return nil
	}
	outcomes := outcomesOf(result)
	n := 0
	fmt.Fprintln(w)
	for i, v := range report.Patterns {
		c := outcomes[v.ID]
		if c == nil {
			continue
		}
		text := c.Status
		if c.Status == steer.Confirmed {
			n++
			if text += "; empire-go replay " + c.Schedule + " repeats it"; c.Schedule == "" {
				text = c.Status + " " + c.Reason
			}
		} else if c.Reason != "" {
			text += ": " + c.Reason
		}
		fmt.Fprintf(w, "%d. %s\n", len(report.Violations)+i+1, text)
	}
	if len(report.Patterns) > 0 {
		fmt.Fprintf(w, "%d of %s confirmed.\n", n, count(len(report.Patterns), "scenario"))
	}
	var deadlocks, races, swaps []string
	for _, d := range report.Deadlocks {
		deadlocks = append(deadlocks, d.ID)
	}
	for _, r := range report.Races {
		races = append(races, r.ID)
	}
	for _, s := range report.Swaps {
		swaps = append(swaps, s.ID)
	}
	before := len(report.Violations) + len(report.Patterns)
	writeBlockingOutcomes(w, result, deadlocks, before, "deadlock")
	writeBlockingOutcomes(w, result, races, before+len(deadlocks), "data race")
	writeBlockingOutcomes(w, result, swaps, before+len(deadlocks)+len(races), "operation in another order")
	return nil
}

// writeBlockingOutcomes says what became of findings of one kind, by their IDs; so many were told before them.
func writeBlockingOutcomes(w io.Writer, result *empire.Result, ids []string, before int, kind string) {
	n := 0
	for i, id := range ids {
		c := blockingOutcome(result, id)
		if c == nil {
			continue
		}
		if c.Status == empire.Confirmed {
			n++
		}
		fmt.Fprintf(w, "%d. %s: %s\n", before+i+1, c.Status, c.Reason)
	}
	if len(ids) > 0 {
		fmt.Fprintf(w, "%d of %s confirmed.\n", n, count(len(ids), kind))
	}
}

// outcomesOf are what became of scenarios, by ID; result may be nil.
func outcomesOf(result *empire.Result) map[string]*empire.Confirmation {
	outcomes := map[string]*empire.Confirmation{}
	if result != nil {
		for _, v := range steer.Violations(result) {
			outcomes[v.Scenario.ID] = v.Scenario.Confirmation
		}
	}
	return outcomes
}
