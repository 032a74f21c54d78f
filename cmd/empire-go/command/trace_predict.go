package command

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// predictFlags are the flags of trace predict.
type predictFlags struct {
	format   string
	blocks   string
	scenario string
	classes  []string
	isGiven  func(flag string) bool
	switches int
	work     int
	window   int
	table    bool
	timings  bool
	picture  string
}

func newTracePredict() *cobra.Command {
	var o predictFlags
	cmd := &cobra.Command{
		Use:   "predict FILE...",
		Short: "Predict from a trace which blocks are not atomic in another order",
		Long: `Read one run, and look for other orders of its events in which a block of code is not atomic:
accesses of other threads come in between so that no order of whole blocks explains what is
read and written. Only orders count that are sure to be possible: each thread does
what it did in the observed run up to a read that sees another value, and no more after that;
locks, messages, waits, forks and joins are kept. (The trace atomicity segment of Sinha, Malik,
Wang and Gupta, 2011.) In the same orders it looks for the scenarios, which are of two units of
work each.

A recorded trace says which code is a unit of work; in the STD format blocks are from
begin to end. --blocks sections takes critical sections in which nothing is waited for instead.
A run shows only what was recorded in it: a value that decides what the program does and that
was not recorded can make a prediction impossible.

With --class it looks for deadlocks and data races, too, or only: in those orders in which the
critical sections of each lock keep their order, as far as they are there. That takes linear
time, and what is found is sure to be possible. (Mathur, Pavlogiannis and Viswanathan, 2021; the
same and Tunç, 2023.) And for two operations that go wrong in the order in which they did not
come (order): a close before a send, Wait of a wait group before the first Add, a Done before any,
nil used before a variable is set, or after it is set to nil; and for signals that come too
early (missed-signal): the last one of a condition before the wait that it has ended, and a send
in a select with default before the receiver waits. Whether nil is used is known of a
program that was recorded in full: run --predict does so if atomicity is not asked for.

The exit status is 0 if all blocks are atomic in all of these orders, 1 if a violation is
predicted, 2 if the trace cannot be read to its end, 3 if there is none as far as was looked
and a bound was hit: of --work, --switches, or --window.
` + stdFormat,
		Example: "  empire-go trace predict run.trace\n  empire-go trace predict --blocks sections --table run.std\n" +
			"  empire-go trace predict --table --picture figures.svg a.trace b.trace",
		Args: func(cmd *cobra.Command, args []string) error {
			if o.table && len(args) > 1 {
				return nil
			}
			return oneFile("")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return predictTrace(cmd, args, o) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.format, "format", "text", "print the `format` text or json")
	completeFrom(cmd, "format", "text", "json")
	f.StringVar(&o.blocks, "blocks", "auto", "the `code` that is meant to be atomic: units, begin (from begin to end), "+
		"sections, or auto")
	completeFrom(cmd, "blocks", "auto", "units", "begin", "sections")
	o.isGiven = f.Changed
	f.StringVar(&o.scenario, "scenario", "all", "the `scenarios` to look for between two blocks: 9, or 1,2,9, or all, or "+
		"none (default: all for units of work, none for other blocks)")
	addPredictedClasses(f, &o.classes)
	f.IntVar(&o.switches, "switches", 0, "predict only runs with at most `n` context switches in the block (default: any)")
	f.IntVar(&o.work, "work", predict.Defaults.Explore.Paths, "try at most `n` paths for each block")
	f.IntVar(&o.window, "window", predict.Defaults.Window, "keep `n` events in memory")
	f.BoolVar(&o.table, "table", false, "print the table of the paper for this trace: how much the segment, the static "+
		"check and a bound of 5 context switches do")
	f.StringVar(&o.picture, "picture", "", "draw the table of one or more traces into `file`, as SVG: the segments' "+
		"size, what is known of the blocks, and how many orders and how much time the segment saves (- for standard output)")
	f.BoolVar(&o.timings, "timings", false, "print how long it took, and the memory")
	return cmd
}

// check checks the flags.
func (o *predictFlags) check() error {
	if o.format != "text" && o.format != "json" {
		return inputError("--format", "no format %q; write text or json", o.format)
	}
	if err := checkPredictedClasses(o.classes); err != nil {
		return err
	}
	switch o.blocks {
	case "auto", "units", "begin", "sections":
	default:
		return inputError("--blocks", "no blocks %q; write units, begin, sections or auto", o.blocks)
	}
	switch {
	case o.picture != "" && !o.table:
		return inputError("--picture", "draws the table; write --table, too")
	case o.switches < 0:
		return inputError("--switches", "%d is negative; write a number of context switches, or 0 for any", o.switches)
	case o.work < 1:
		return inputError("--work", "%d leaves nothing to try; write a number above 0", o.work)
	case o.window < 16:
		return inputError("--window", "%d events are too few to see anything in; write 16 or more", o.window)
	}
	return nil
}

// options are those of a prediction from a trace, a recorded one or not.
func (o *predictFlags) options(recorded bool) (predict.Options, error) {
	p := predict.Defaults
	p.NoBlocks = !o.asks(atomicityClass)
	p.Deadlocks, p.Races = o.asks("deadlock"), o.asks("data-race")
	p.Orders, p.Signals = o.asks("order"), o.asks("missed-signal")
	if units := recorded && (o.blocks == "auto" || o.blocks == "units"); o.scenario != "none" &&
		!p.NoBlocks && (units || o.isGiven("scenario")) {
		var err error
		if p.Scenarios, err = scenarios.Select(o.scenario); err != nil {
			return p, asInputError("--scenario", err)
		}
	}
	p.Window = o.window
	p.SetWork(o.work)
	p.Explore.Switches = o.switches
	return p, nil
}

func predictTrace(cmd *cobra.Command, names []string, o predictFlags) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.table {
		return predictTables(cmd, names, o)
	}
	name := names[0]
	report, src, err := predictFile(cmd, name, o, func(*predict.Options) {})
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if o.format == "json" {
		err = writePredictionJSON(out, report, nil)
	} else {
		err = writePrediction(out, name, report, src.Unit())
	}
	if err != nil {
		return asInputError("standard output", err)
	}
	if o.timings {
		fmt.Fprintf(cmd.ErrOrStderr(), "seconds      %.3f (%.2f million events a second)\nmemory       %.0f MiB\n",
			report.Took.Seconds(), float64(report.Events)/report.Took.Seconds()/1e6, limit.PeakMiB())
	}
	if report.EndsEarly != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s: %v\n", name, report.EndsEarly)
	}
	return predictionStatus(report)
}

// predictionStatus is the exit status for a prediction.
func predictionStatus(r *predict.Report) error {
	switch {
	case r.Found() > 0:
		return status(statusViolation)
	case r.EndsEarly != nil:
		return status(statusFailed)
	case !r.Known():
		return status(statusUnknown)
	}
	return nil
}

// predictFile predicts from a file.
func predictFile(cmd *cobra.Command, name string, f predictFlags, set func(*predict.Options)) (*predict.Report,
	events.Source, error) {
	in, err := openTrace(cmd, name)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	recorded := in.recorded()
	file := &openEvents{name: name}
	if !in.regular {
		if file.data, err = io.ReadAll(in); err != nil {
			return nil, nil, asInputError(name, err)
		}
		file.data = append([]byte{}, file.data...)
	}
	o, err := f.options(recorded)
	if err != nil {
		return nil, nil, err
	}
	set(&o)
	src, err := file.source(recorded)
	if err != nil {
		return nil, nil, predictionError(name, err)
	}
	blocks, closing, err := f.blocksOf(file.open, recorded)
	if err != nil {
		return nil, nil, predictionError(name, err)
	}
	defer closing()
	report, err := predict.Run(cmd.Context(), src, blocks, o)
	return report, src, predictionError(name, err)
}

// blocksOf is what is meant to be atomic in a trace.
func (o *predictFlags) blocksOf(open func() (io.ReadCloser, error), recorded bool) (predict.Blocks, func(), error) {
	switch {
	case o.blocks == "sections":
		return predict.Sections(), func() {}, nil
	case !recorded && o.blocks == "units":
		return nil, nil, errors.New("an STD file has no units of work; write --blocks begin or sections")
	case !recorded || o.blocks == "begin":
		return predict.Transactions(), func() {}, nil
	}
	in, err := open()
	if err != nil {
		return nil, nil, err
	}
	blocks, err := predict.Units(in)
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	return blocks, func() { in.Close() }, nil
}

// predictionError names the file in what is wrong with it.
func predictionError(name string, err error) error {
	var fault *predict.FaultError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault):
		return inputError(name, "%v", err)
	case errors.Is(err, trace.ErrFormat), errors.Is(err, trace.ErrReduced):
		return inputError(name, "%v", err)
	case errors.As(err, new(*os.PathError)):
		return inputError(name, "%v", fileReason(err))
	}
	return positioned(name, err)
}

func writePrediction(w io.Writer, name string, r *predict.Report, unit string) error {
	fmt.Fprintf(w, "%s: %s in %s; %s\n", name, howMany(r), count(r.Blocks, "block"), count(r.Events, "event"))
	for i, v := range r.Violations {
		fmt.Fprintf(w, "\n%d. ", i+1)
		if err := v.WriteText(w, unit); err != nil {
			return err
		}
	}
	for i, v := range r.Patterns {
		fmt.Fprintf(w, "\n%d. ", len(r.Violations)+i+1)
		if err := v.WriteText(w, unit); err != nil {
			return err
		}
	}
	n := len(r.Violations) + len(r.Patterns)
	for i, v := range r.Deadlocks {
		fmt.Fprintf(w, "\n%d. ", n+i+1)
		if err := v.WriteText(w, unit); err != nil {
			return err
		}
	}
	for i, v := range r.Races {
		fmt.Fprintf(w, "\n%d. ", n+len(r.Deadlocks)+i+1)
		if err := v.WriteText(w, unit); err != nil {
			return err
		}
	}
	for i, v := range r.Swaps {
		fmt.Fprintf(w, "\n%d. ", n+len(r.Deadlocks)+len(r.Races)+i+1)
		if err := v.WriteText(w, unit); err != nil {
			return err
		}
	}
	if r.PreservedLeft > 0 {
		fmt.Fprintf(w, "\n%s of locks and of accesses given up; another order may have a deadlock or a data race.\n",
			count(r.PreservedLeft, "choice"))
	}
	if r.PatternsLeft > 0 {
		fmt.Fprintf(w, "\n%s of scenarios given up; another order may have them.\n", count(r.PatternsLeft, "choice"))
	}
	_, err := fmt.Fprintf(w, "\n%s can be violated, %d cannot by the static check, %d by search, %d not known "+
		"(%d outside of the window, %d beyond a bound).\n", count(r.Violated, "block"), r.Static, r.Atomic,
		r.Cut+r.Bounded, r.Cut, r.Bounded)
	return err
}

// howMany says how many violations are predicted, and how many the run has itself.
func howMany(r *predict.Report) string {
	seen := 0
	for _, v := range r.Violations {
		if v.Seen {
			seen++
		}
	}
	for _, v := range r.Patterns {
		if v.Seen {
			seen++
		}
	}
	for _, v := range r.Races {
		if v.Seen {
			seen++
		}
	}
	text := count(r.Found()-seen, "violation") + " predicted"
	if seen > 0 {
		text += fmt.Sprintf(" and %d seen", seen)
	}
	return text
}
