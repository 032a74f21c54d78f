package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/record"
)

func newTest() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test [packages] [-- arguments for the tests]",
		Short: "Run tests and look for the patterns while they run",
		Long: `Run the tests of packages as empire-go run runs a program: each package's tests in a
process of their own, in the package's directory. What follows -- goes to them, as
-test.run or -test.v. The order of the packages is that of go list. A test that accesses
fields itself looks at them when it is done, and is no unit of work (--strict: it is one).
Where there is nothing to watch the tests are run all the same, and that is said.
With --predict, what could have happened in another order of the same run is told, too.

Exit status: 0 no violation was seen and all tests passed, 1 a violation was seen, 2 the
tests could not be built or started, 3 no violation was seen and tests
failed, or a trace could not be kept, or not be read to its end.`,
		Example: `  empire-go test ./...
  empire-go test --noise --run TestCache ./store -- -test.v
  empire-go test --type Cache --seed 7 ./store`,
		Args: cobra.ArbitraryArgs,
	}
	o := addRunFlags(cmd)
	o.predict.add(cmd.Flags())
	var match string
	var times countValue = 1
	cmd.Flags().StringVar(&match, "run", "", "run only the tests that match `RE`")
	cmd.Flags().Var(&times, "count", "run each test `n` times")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(); err != nil {
			return err
		}
		packages, rest := args, []string(nil)
		if n := cmd.ArgsLenAtDash(); n >= 0 {
			packages, rest = args[:n], args[n:]
		}
		if len(packages) == 0 {
			packages = []string{"."}
		}
		rest = append([]string{"-test.paniconexit0", "-test.timeout=10m0s", fmt.Sprintf("-test.count=%d", int(times))},
			rest...)
		if match != "" {
			rest = append(rest, "-test.run="+match)
		}
		return o.test(cmd, packages, rest)
	}
	return cmd
}

// tested is a package with tests.
type tested struct{ path, dir string }

// test builds and runs the tests of packages.
func (o *runFlags) test(cmd *cobra.Command, packages, args []string) error {
	ctx := cmd.Context()
	all, err := listTested(ctx, o.request.Tags, packages)
	if err != nil {
		return err
	}
	phase := newProgress(cmd.ErrOrStderr()).show
	defer phase("")
	if o.cooperable.on {
		return o.testCooperable(cmd, packages, all, args, phase)
	}
	if o.blocked {
		return o.testBlocked(cmd, packages, all, args, phase)
	}
	if o.seesRacesOnly() {
		return o.testRaces(cmd, packages, all, args, phase)
	}
	if o.watchesAll() {
		return o.testPredictAll(cmd, packages, all, args, phase)
	}
	plan, root, err := o.plan(ctx, packages, true, phase)
	if nothing := new(empire.NothingError); errors.As(err, &nothing) && o.hasOthers() {
		o.tellNothing(cmd, nothing)
		if o.seesRaces() {
			return o.testRaces(cmd, packages, all, args, phase)
		}
		return o.testPredictAll(cmd, packages, all, args, phase)
	}
	if nothing := new(empire.NothingError); errors.As(err, &nothing) {
		return o.testPlain(cmd, packages, all, args, phase, nothing)
	}
	if err != nil {
		return err
	}
	phase("building the tests with hooks")
	program, err := record.Make(ctx, record.Build{
		Dir: ".", Packages: packages, Tests: true, Tags: o.request.Tags, Root: root, Plan: plan, Exact: o.predict.on,
		Races: o.seesRaces()})
	if err != nil {
		return inputError(strings.Join(packages, " "), "%v", err)
	}
	defer program.Close()
	if o.predict.on {
		return o.testPredict(cmd, plan, program, all, args, phase)
	}
	seen, failed := false, false
	testsFailed, err := o.eachTest(cmd, program, all, args, phase, func(i int, p tested, r record.Run) (testRun, error) {
		outcome, checked, err := o.record(cmd, program, r, numbered(o.trace, i, len(all)))
		if err != nil {
			return testRun{}, err
		}
		return testRun{outcome.Text != "", func() error {
			part := *o
			part.report = numbered(o.report, i, len(all))
			result, err := part.write(cmd, []string{p.path}, checked, outcome, program)
			if err != nil {
				return err
			}
			failed = failed || outcome.TraceErr != nil || !result.Run.IsWhole()
			seen = seen || result.Verdict == empire.VerdictViolation
			return nil
		}, nil}, nil
	})
	switch {
	case err != nil:
		return err
	case seen:
		return status(statusViolation)
	case failed || testsFailed:
		return status(statusUnknown)
	}
	return nil
}

// testPlain runs the tests of packages in which there is nothing to watch, as go test does.
func (o *runFlags) testPlain(cmd *cobra.Command, packages []string, all []tested, args []string, phase func(string),
	nothing *empire.NothingError) error {
	phase("building the tests")
	program, err := record.Plain(record.Build{Dir: ".", Packages: packages, Tests: true, Tags: o.request.Tags})
	if err != nil {
		return err
	}
	defer program.Close()
	failed, err := o.eachTest(cmd, program, all, args, phase, func(i int, p tested, r record.Run) (testRun, error) {
		o.connect(cmd, &r)
		outcome, err := r.Plain(cmd.Context())
		return testRun{outcome.Text != "", func() error { return nil }, nil}, err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: nothing was watched: %v\n", nothing)
	if failed {
		return status(statusUnknown)
	}
	return nil
}

// testRun is a run of the tests of a package: whether they failed, and what there is to report of it.
type testRun struct {
	failed bool
	report func() error
	status error // the exit status for it, for worstOf
}

// worstOf is eachTest with reports and traces of its own for each package. It returns the worst exit status.
func (o *runFlags) worstOf(cmd *cobra.Command, program *record.Program, all []tested, args []string,
	phase func(string), run func(part *runFlags, t tested, r record.Run) (testRun, error)) error {
	var worst error
	failed, err := o.eachTest(cmd, program, all, args, phase, func(i int, t tested, r record.Run) (testRun, error) {
		part := *o
		part.report, part.trace = numbered(o.report, i, len(all)), numbered(o.trace, i, len(all))
		done, err := run(&part, t, r)
		if err == nil && (done.status == status(statusViolation) || worst == nil) {
			worst = done.status
		}
		return done, err
	})
	if err == nil && worst == nil && failed {
		return status(statusUnknown)
	}
	return cmp.Or(err, worst)
}

// eachTest builds the tests of each package and runs them, as often as is asked for, and prints a line for each run as
// go test does, with what there is to report behind it. It returns whether tests failed.
func (o *runFlags) eachTest(cmd *cobra.Command, program *record.Program, all []tested, args []string,
	phase func(string), run func(i int, p tested, r record.Run) (testRun, error)) (failed bool, err error) {
	for i, p := range all {
		file, err := program.Test(cmd.Context(), p.path)
		if err != nil {
			return failed, inputError(p.path, "%v", err)
		}
		if file == "" {
			fmt.Fprintf(cmd.OutOrStdout(), "?   \t%s\t[no test files]\n", p.path)
			continue
		}
		phase("")
		for range o.cooperable.runs {
			begin := time.Now()
			done, err := run(i, p, record.Run{File: file, Dir: p.dir, Args: args})
			if err != nil {
				return failed, err
			}
			word := "ok  "
			if done.failed {
				word, failed = "FAIL", true
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\t%s\t%.3fs\n", word, p.path, time.Since(begin).Seconds())
			if err := done.report(); err != nil {
				return failed, err
			}
		}
	}
	return failed, nil
}

// numbered is the name of a file of which there is one for each package.
func numbered(name string, i, of int) string {
	if name == "" || name == dash || of == 1 {
		return name
	}
	return fmt.Sprintf("%s.%d", name, i+1)
}

// listTested lists packages with the directories that their tests run in.
func listTested(ctx context.Context, tags string, packages []string) ([]tested, error) {
	cmd := exec.CommandContext(ctx, "go", append(
		[]string{"list", "-tags=" + tags, "-f", "{{.ImportPath}}\t{{.Dir}}"}, packages...)...)
	out, err := cmd.Output()
	if err != nil {
		why := err.Error()
		if exit, ok := err.(*exec.ExitError); ok && len(exit.Stderr) > 0 {
			why, _, _ = strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		}
		return nil, inputError(strings.Join(packages, " "), "%s", why)
	}
	var all []tested
	for line := range strings.Lines(string(out)) {
		if path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			all = append(all, tested{path, dir})
		}
	}
	return all, nil
}
