package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/empire-go/empire-go/dynamic/cooperable"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/trace"
)

// add adds the flags of run and test that are about yields.
func (o *cooperableFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&o.on, "cooperable", false, "check whether yields (//empire:yield) document all interference, instead of "+
		"looking for the patterns")
	f.BoolVar(&o.infer, "infer", false, "with --cooperable: put a yield where one is missing, and go on")
	f.BoolVar(&o.minimise, "minimise", false, "with --cooperable: infer, and leave out places that the others make "+
		"needless")
	f.BoolVar(&o.write, "write", false, "with --cooperable: infer, and write the yields into the source; what cannot be "+
		"written there goes into the file of --yields")
	f.StringVar(&o.yields, "yields", "", "with --cooperable: more yields, in `FILE`: each line has a place, and perhaps "+
		"an operation")
	f.StringVar(&o.serial, "serial", "", "with --cooperable: infer, and write the run with its transactions one after "+
		"the other to `FILE`")
	o.addTable(f)
	f.IntVar(&o.runs, "runs", 1, "with --cooperable: run the program `n` times, with the yields that earlier runs needed")
}

// checkCooperable checks the flags that are about yields.
func (o *runFlags) checkCooperable() error {
	c := &o.cooperable
	for _, flag := range []string{"infer", "minimise", "write", "yields", "serial", "runs", "table", "source"} {
		if o.isGiven(flag) && !c.on {
			return inputError("--"+flag, "is for --cooperable; write both")
		}
	}
	if !c.on {
		return nil
	}
	c.infer = c.infer || c.minimise || c.write || c.runs > 1 || c.serial != ""
	c.format = o.format
	switch {
	case !c.isFormat():
		return inputError("--format", "no format %q with --cooperable; write text or json, or csv with --table", o.format)
	case c.runs < 1:
		return inputError("--runs", "%d is no number of runs; write 1 or more", c.runs)
	case c.runs > 1 && o.trace != "":
		return inputError("--trace", "is for one run; leave out --runs")
	case c.runs > 1 && c.serial != "":
		return inputError("--serial", "is for one run; leave out --runs")
	case c.serial == dash:
		return inputError("--serial", "standard output is the program's; write the name of a file")
	}
	return nil
}

// runCooperable builds a program that records all that its goroutines share, runs it, and checks its yields.
func (o *runFlags) runCooperable(cmd *cobra.Command, packages, args []string, phase func(string)) error {
	program, file, err := o.makeMain(cmd, packages, phase)
	if err != nil {
		return err
	}
	defer program.Close()
	s := &cooperableSession{runFlags: o, cmd: cmd, program: program, name: strings.Join(packages, " ")}
	if s.given, err = readYields(o.cooperable.yields); err != nil {
		return err
	}
	for range o.cooperable.runs {
		if err := s.run(record.Run{File: file, Args: args}); err != nil {
			return err
		}
	}
	return s.finish()
}

// testCooperable does so with the tests of packages.
func (o *runFlags) testCooperable(cmd *cobra.Command, packages []string, all []tested, args []string,
	phase func(string)) error {
	program, err := o.makeTests(cmd, packages, phase)
	if err != nil {
		return err
	}
	defer program.Close()
	s := &cooperableSession{runFlags: o, cmd: cmd, program: program}
	if s.given, err = readYields(o.cooperable.yields); err != nil {
		return err
	}
	serial := o.cooperable.serial
	_, err = o.eachTest(cmd, program, all, args, phase, func(i int, p tested, r record.Run) (testRun, error) {
		before := s.failed
		o.cooperable.serial = numbered(serial, i, len(all))
		s.name, s.failed = p.path, false
		err := s.run(r)
		done := testRun{s.failed, func() error { return nil }, nil}
		s.failed = s.failed || before
		return done, err
	})
	if err != nil {
		return err
	}
	return s.finish()
}

// cooperableSession is some runs that are checked one after the other.
type cooperableSession struct {
	*runFlags
	cmd     *cobra.Command
	program *record.Program
	name    string
	given   *cooperable.Places
	all     []*cooperableRun
	failed  bool // a program has, or its trace could not be read to its end
	strange int  // goroutines that a library has started, where it is not that of tests
}

// run runs a program and checks the run.
func (s *cooperableSession) run(r record.Run) error {
	file, outcome, err := s.keep(s.cmd, s.program, r)
	if err != nil {
		return err
	}
	if s.trace == "" {
		defer os.Remove(file)
	}
	run, err := s.cooperable.check(s.cmd, file, s.given)
	if err != nil {
		return err
	}
	run.name = s.name
	s.all = append(s.all, run)
	if r.Dir == "" {
		s.strange += run.report.Strange
	}
	if outcome.Text != "" {
		s.failed = true
		fmt.Fprintf(s.cmd.ErrOrStderr(), "empire-go: the program ended with %s\n", outcome.Text)
	}
	return nil
}

// finish writes the report, and the yields.
func (s *cooperableSession) finish() error {
	stderr := s.cmd.ErrOrStderr()
	write := func(w io.Writer) error { return s.cooperable.print(w, s.all) }
	if s.report == "" {
		if err := write(stderr); err != nil {
			return asInputError("report", err)
		}
	} else if err := writeFile("--report", s.report, s.cmd.OutOrStdout(), write); err != nil {
		return err
	}
	missing, racy := false, false
	for _, r := range s.all {
		missing, racy = missing || len(r.report.Places) > 0, racy || len(r.report.Races) > 0
		if r.report.Cut != "" {
			s.failed = true
			fmt.Fprintf(stderr, "empire-go: %s: the trace ends in the middle: %s\n", r.name, r.report.Cut)
		}
	}
	if s.strange > 0 {
		fmt.Fprintf(stderr, "empire-go: %s started by a library; what these wait for is not known\n",
			count(s.strange, "goroutine"))
	}
	if n := len(s.program.Left); n > 0 {
		fmt.Fprintf(stderr, "empire-go: %s of the source not recorded; the first: %s: %s\n", count(n, "place"),
			s.program.Left[0].Pos, s.program.Left[0].Why)
	}
	if s.noise {
		fmt.Fprintf(stderr, "empire-go: noise with --seed %d\n", s.seed)
	}
	if s.cooperable.write {
		if err := s.writeYields(); err != nil {
			return err
		}
	}
	switch {
	case missing:
		return status(statusViolation)
	case s.failed, racy, s.strange > 0, len(s.program.Left) > 0:
		return status(statusUnknown)
	}
	return nil
}

// writeYields writes the yields that were inferred into the source.
func (s *cooperableSession) writeYields() error {
	var reports []*cooperable.Report
	for _, r := range s.all {
		reports = append(reports, r.report)
	}
	left, written, err := writeSource(s.program.Header, reports)
	if err != nil {
		return err
	}
	for _, name := range written {
		fmt.Fprintf(s.cmd.ErrOrStderr(), "empire-go: wrote yields into %s\n", name)
	}
	if len(left) == 0 {
		return nil
	}
	if s.cooperable.yields == "" {
		return inputError("--write", "%s has no form in the source; write --yields FILE for a file of such yields", left[0])
	}
	f, err := os.OpenFile(s.cooperable.yields, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return asInputError("--yields", err)
	}
	_, err = io.WriteString(f, strings.Join(left, "\n")+"\n")
	return asInputError("--yields", errors.Join(err, f.Close()))
}

// absolute is a file of the module that was recorded.
func absolute(h trace.Header, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(h.Root, filepath.FromSlash(name))
}
