package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/internal/answers"
)

// runFlags are the flags of run and test.
type runFlags struct {
	request      empire.Request
	fields, vars listValue
	scenario     string
	pattern      string
	isGiven      func(flag string) bool
	noise        bool
	seed         uint64
	trace        string
	format       string
	report       string
	all          bool
	noCache      bool
	cooperable   cooperableFlags
	predict      runPredictFlags
	blocked      bool
}

func addRunFlags(cmd *cobra.Command) *runFlags {
	o := &runFlags{isGiven: cmd.Flags().Changed}
	f, r := cmd.Flags(), &o.request
	f.SortFlags = false
	f.StringVar(&r.Type, "type", "", "the type to watch: `T`, pkg.T or path/of/pkg.T (default: every candidate)")
	f.Var(&o.fields, "fields", "the atomic set: the fields of T that belong together, as `a,b` (default: each group "+
		"that candidates lists)")
	f.Var(&o.vars, "vars", "an atomic set of package variables instead of a type and fields, as `pkg.a,pkg.b`")
	f.StringVar(&o.scenario, "scenario", "all", "the `scenarios` to look for: 9, or 1,2,9, or all")
	f.StringVar(&o.pattern, "pattern", "", "the `patterns` to look for, 1 to 14, instead of whole scenarios")
	f.StringVar(&r.Units, "units", "auto", "the `policy` that says which code is a unit of work: auto, exported or "+
		"annotated")
	f.StringArrayVar(&r.UnitFuncs, "unit", nil, "a `function` that is a unit of work, instead of those by --units; can "+
		"be given several times")
	f.StringVar(&r.UnitFor, "unitfor", "auto", "the `policy` that says which parameters' fields join the atomic set "+
		"during a unit: auto, all, none or annotated")
	f.BoolVar(&r.Strict, "strict", false, "by the letter: every read counts")
	r.Timeout = empire.DefaultTimeout
	f.Var((*durationValue)(&r.Timeout), "timeout",
		"how long finding out what to watch may take, as `30s`; naming a type takes less")
	f.StringVar(&r.Tags, "tags", "", "build `tags`, separated by commas")
	f.BoolVar(&o.noise, "noise", false, "disturb the schedule: goroutines yield, and sleep for a moment, at the points "+
		"that are recorded")
	f.Uint64Var(&o.seed, "seed", 0, "the `seed` of the noise (default: from the clock; it is printed)")
	f.StringVar(&o.trace, "trace", "", "keep the trace in `FILE`, for empire-go trace")
	f.StringVar(&o.format, "format", "text", "write the report as `format` text, json, ndjson or sarif")
	completeFrom(cmd, "format", "text", "json", "ndjson", "sarif")
	f.StringVar(&o.report, "report", "", "write the report to `FILE` instead of standard error; to - for standard output")
	f.BoolVar(&o.all, "all", false, "show every violation in full, not one for each cause")
	addNoCache(cmd, &o.noCache)
	o.cooperable.add(f)
	f.BoolVar(&o.blocked, "blocked", false, "say which goroutines wait or go round at the end of the run, which "+
		"signals they have missed, and what came in the wrong order, instead of looking for the patterns")
	return o
}

// check completes and checks the flags.
func (o *runFlags) check() error {
	if err := o.checkCooperable(); err != nil {
		return err
	}
	if err := o.checkPredict(); err != nil {
		return err
	}
	if err := o.checkBlocked(); err != nil {
		return err
	}
	if _, ok := formats[o.format]; !ok && !o.cooperable.on {
		return inputError("--format", "no format %q; write text, json, ndjson or sarif", o.format)
	}
	for flag, name := range map[string]string{"trace": o.trace, "report": o.report, "serial": o.cooperable.serial} {
		if o.isGiven(flag) {
			if err := checkFile("--"+flag, name); err != nil {
				return err
			}
		}
	}
	if o.trace == dash {
		return inputError("--trace", "standard output is the program's; write the name of a file")
	}
	if o.isGiven("seed") {
		o.noise = true
		if o.seed == 0 {
			return inputError("--seed", "0 stands for no noise; write another number")
		}
	}
	if o.noise && o.seed == 0 {
		o.seed = uint64(time.Now().UnixNano())%1e9 + 1
	}
	r := &o.request
	r.Fields, r.Vars = o.fields, o.vars
	chosen, err := (&queryFlags{scenario: o.scenario, pattern: o.pattern, isGiven: o.isGiven}).scenarios()
	r.Scenarios = chosen
	return err
}

// plan finds out what is watched, and in which directory the positions are.
func (o *runFlags) plan(ctx context.Context, packages []string, tests bool, phase func(string)) (
	*watch.Plan, string, error) {
	defer phase("")
	phase("loading the packages")
	r := o.request
	known := list(ctx, r.Tags, packages)
	if err := known.isProgram(packages); err != nil && !tests {
		return nil, "", err
	}
	r.Packages, r.Tests = known.withImports(packages), tests
	if !o.noCache {
		r.Answers = answers.OpenDefault()
	}
	phase("finding out what to watch")
	plan, root, err := empire.Watch(ctx, r)
	if err != nil {
		return nil, "", err
	}
	plan.Policy.TestsLook = tests && !r.Strict
	return plan, root, nil
}

func newRun() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run [package] [arguments...]",
		Short: "Run a program and look for the patterns while it runs",
		Long: `Run a program, and report each violation of an atomic set that happens in this run:
the interleaving that check looks for in a model, seen in the program. The program is
built with calls at each access to the atomic sets, at locks, channels and go statements;
the module is not changed, and the program prints and reads what it always does. What is
watched is what check looks at if it is told nothing, or what the flags name.

The package is named as for go run; flags for empire-go stand before it, what follows is
for the program. A run shows only what happens in it: --noise makes rare schedules likelier.
The report goes to standard error, after the program's own output.

With --class data-race it says which accesses of the run nothing orders, without a record of the rest: as go test -race
does, with less processor time and without a C compiler; with --class atomicity,data-race beside the patterns, in
one run. The first race on each variable is found. The first such build compiles the standard library anew,
which takes a minute or two.

With --blocked it says what else the run shows at its end instead: which goroutines wait, for what,
what each holds, and which wait for each other (deadlock, blocked); which signal one of them has missed
(missed-signal); which ones go round and look at what nobody changes (no-progress, livelock); and
which operation came in the wrong order, as a send on a closed channel, and what came before it (order).
Goroutines that wait or go round when main returns are told, and change the exit status only
where all stand still; of test, always. An operation in the wrong order does, too.

Exit status: 0 no violation was seen and the program ended with status 0, 1 a violation, or a data race of a
line of the module, was seen, 2 the program could not be built or started, 3 no violation was seen and the program
failed, or its trace could not be kept, or not be read to its end; its own status is in the report.`,
		Example: `  empire-go run ./cmd/server -port 8080
  empire-go run --noise --trace run.trace . && empire-go trace check run.trace
  empire-go run --type Cache --fields entries,size --seed 7 .`,
		Args: cobra.ArbitraryArgs,
	}
	o := addRunFlags(cmd)
	cmd.Flags().SetInterspersed(false)
	o.predict.add(cmd.Flags())
	o.predict.addConfirm(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(); err != nil {
			return err
		}
		packages, args := splitArguments(args)
		return o.run(cmd, packages, args)
	}
	return cmd
}

// splitArguments splits what follows the flags into the package, or its files, and the
// arguments of the program.
func splitArguments(args []string) (packages, rest []string) {
	n := slices.IndexFunc(args, func(a string) bool { return !strings.HasSuffix(a, ".go") })
	switch {
	case len(args) == 0:
		return []string{"."}, nil
	case n < 0:
		return args, nil
	case n == 0:
		return args[:1], args[1:]
	}
	return args[:n], args[n:]
}

// run builds a program and runs it.
func (o *runFlags) run(cmd *cobra.Command, packages, args []string) error {
	ctx := cmd.Context()
	phase := newProgress(cmd.ErrOrStderr()).show
	defer phase("")
	if o.cooperable.on {
		return o.runCooperable(cmd, packages, args, phase)
	}
	if o.blocked {
		return o.runBlocked(cmd, packages, args, phase)
	}
	if o.seesRacesOnly() {
		return o.runRaces(cmd, packages, args, phase)
	}
	if o.watchesAll() {
		return o.runPredictAll(cmd, packages, args, phase)
	}
	plan, root, err := o.plan(ctx, packages, false, phase)
	if nothing := new(empire.NothingError); errors.As(err, &nothing) && o.hasOthers() {
		o.tellNothing(cmd, nothing)
		if o.seesRaces() {
			return o.runRaces(cmd, packages, args, phase)
		}
		return o.runPredictAll(cmd, packages, args, phase)
	}
	if err != nil {
		return err
	}
	phase("building the program with hooks")
	program, err := record.Make(ctx, record.Build{
		Dir: ".", Packages: packages, Tags: o.request.Tags, Root: root, Plan: plan, Exact: o.predict.on,
		Races: o.seesRaces()})
	if err != nil {
		return inputError(strings.Join(packages, " "), "%v", err)
	}
	defer program.Close()
	file, err := program.Main(ctx)
	if err != nil {
		return inputError(strings.Join(packages, " "), "%v", err)
	}
	phase("")
	if o.predict.on {
		return o.runPredict(cmd, packages, args, plan, program, file)
	}
	outcome, checked, err := o.record(cmd, program, record.Run{File: file, Args: args}, o.trace)
	if err != nil {
		return err
	}
	result, err := o.write(cmd, packages, checked, outcome, program)
	if err != nil {
		return err
	}
	switch {
	case result.Verdict == empire.VerdictViolation:
		return status(statusViolation)
	case outcome.Text != "" || outcome.TraceErr != nil || !result.Run.IsWhole():
		return status(statusUnknown)
	}
	return nil
}

// keep runs a program once and keeps its trace, in the file of --trace or in one that the caller removes.
func (o *runFlags) keep(cmd *cobra.Command, program *record.Program, r record.Run) (
	file string, outcome record.Outcome, err error) {
	var f *os.File
	if o.trace == "" {
		f, err = os.CreateTemp("", "empire-go-*.trace")
	} else {
		f, err = os.Create(o.trace)
	}
	if err != nil {
		return "", outcome, asInputError("--trace", err)
	}
	defer f.Close()
	o.connect(cmd, &r)
	r.Trace = f
	outcome, err = program.Record(cmd.Context(), r, func(in io.Reader) error {
		_, err := io.Copy(io.Discard, in)
		return err
	})
	if err = cmp.Or(err, outcome.TraceErr); err != nil && o.trace == "" {
		os.Remove(f.Name())
	}
	return f.Name(), outcome, asInputError("trace", err)
}

// connect connects a run with the command's input and output, and sets the noise.
func (o *runFlags) connect(cmd *cobra.Command, r *record.Run) {
	r.Stdin, r.Stdout, r.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if o.noise {
		r.Noise = o.seed
	}
}

// record runs a program once, and matches its trace while it runs.
func (o *runFlags) record(cmd *cobra.Command, program *record.Program, r record.Run, traceFile string) (
	record.Outcome, *dynamic.Report, error) {
	o.connect(cmd, &r)
	if traceFile != "" {
		f, err := os.Create(traceFile)
		if err != nil {
			return record.Outcome{}, nil, inputError("--trace", "%v", err)
		}
		defer f.Close()
		r.Trace = f
	}
	var err error
	if r.Reduction, err = dynamic.Reduction(&program.Header); err != nil {
		return record.Outcome{}, nil, err
	}
	var checked *dynamic.Report
	var outcome record.Outcome
	races, err := o.withRaces(r, func(r record.Run) (err error) {
		outcome, err = program.Record(cmd.Context(), r, func(in io.Reader) (err error) {
			// The program decides when the run ends, also when it is interrupted.
			checked, err = dynamic.Check(context.WithoutCancel(cmd.Context()), in, dynamic.Options{})
			return err
		})
		return err
	})
	if err == nil && checked == nil {
		err = errors.New("run: nothing was recorded")
	}
	if err == nil {
		checked.Races = races
	}
	return outcome, checked, err
}

// write writes the report and returns what is in it.
func (o *runFlags) write(cmd *cobra.Command, packages []string, checked *dynamic.Report, outcome record.Outcome,
	program *record.Program) (*empire.Result, error) {
	result := checked.Result()
	result.Invocation.Packages, result.Invocation.Tags = packages, o.request.Tags
	return result, o.writeResult(cmd, result, outcome, program)
}

// writeResult writes what is known of a run.
func (o *runFlags) writeResult(cmd *cobra.Command, result *empire.Result, outcome record.Outcome,
	program *record.Program) error {
	stderr := cmd.ErrOrStderr()
	var out io.Writer = stderr
	switch o.report {
	case "":
	case dash:
		out = cmd.OutOrStdout()
	default:
		f, err := os.Create(o.report)
		if err != nil {
			return inputError("--report", "%v", err)
		}
		defer f.Close()
		out = f
	}
	if err := formats[o.format](out, result, o.all); err != nil {
		return asInputError("report", err)
	}
	o.remarks(stderr, result, outcome, program)
	return nil
}

// remarks says what else there is to know about a run.
func (o *runFlags) remarks(w io.Writer, result *empire.Result, outcome record.Outcome, program *record.Program) {
	warnOfLoss(w, result.Run)
	if n := len(program.Left); n > 0 {
		fmt.Fprintf(w, "empire-go: %s of the source left as they are, and not recorded; the first: %s: %s\n",
			count(n, "place"), program.Left[0].Pos, program.Left[0].Why)
	}
	if outcome.TraceErr != nil {
		fmt.Fprintf(w, "empire-go: --trace %s: %v; what is in it up to there can be read, and the whole run was checked\n",
			o.trace, fileReason(outcome.TraceErr))
	}
	if o.noise {
		fmt.Fprintf(w, "empire-go: noise with --seed %d\n", o.seed)
	}
	if outcome.Text != "" {
		fmt.Fprintf(w, "empire-go: the program ended with %s\n", outcome.Text)
	}
}

// fileReason returns what the system says about a file, without the name of the file.
func fileReason(err error) error {
	if path := new(os.PathError); errors.As(err, &path) {
		return path.Err
	}
	return err
}
