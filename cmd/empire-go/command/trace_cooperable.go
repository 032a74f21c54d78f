package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/dynamic/cooperable"
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/trace/std"
	"github.com/empire-go/empire-go/limit"
)

// cooperableFlags are the flags of trace cooperable.
type cooperableFlags struct {
	format   string
	infer    bool
	minimise bool
	yields   string
	serial   string
	timings  bool
	table    bool
	source   bool

	// of run and test
	on    bool
	runs  int
	write bool
}

func newTraceCooperable() *cobra.Command {
	var o cooperableFlags
	cmd := &cobra.Command{
		Use:   "cooperable FILE...",
		Short: "Check whether yields document all interference in a trace",
		Long: `Check whether a trace is cooperable: whether what each thread does from one yield to the next
could have run without the others in between, with all conflicting events in the
same order. Then a reader need not think of other threads but where there is a yield.
The trace is one that empire-go run or empire-go test has kept with --trace, or one in the
STD format; "-" is standard input.

A yield is an event of the trace (T0|yield|42), a place in a file of --yields, or comes with an
event that waits for others: a join, the Wait of a WaitGroup or of a condition, a
send on a channel without room, a receive of the last thing that a goroutine does. Within a
block, from begin to end, none counts.

Each place at which a yield is missing is shown once, with the transactions that no order
explains and the events by which each comes before the next. --infer puts a yield there
and goes on: these are the yields that the program needs, with what each is for.
With several files, yields that an earlier one needs are there for those after it.

The exit status is 0 if no yield is missing, 1 if one is, which includes those that are
inferred, 2 for a trace that cannot be read to its end, and 3 if none is missing but
accesses of a recorded run race: which of them was first may not be known, and where the
program is not recorded it may do what no order explains.
` + stdFormat,
		Example: "  empire-go trace cooperable run.trace\n  empire-go trace cooperable --infer --serial serial.std run.std",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return inputError(cmd.CommandPath(), "needs a trace; write %s FILE", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.format, "format", "text", "print the `format` text or json")
	completeFrom(cmd, "format", "text", "json")
	f.BoolVar(&o.infer, "infer", false, "put a yield where one is missing, and go on")
	f.BoolVar(&o.minimise, "minimise", false, "infer, and leave out places that the others make needless")
	f.StringVar(&o.yields, "yields", "", "yields besides those of the trace: each line of `FILE` has a place, and "+
		"perhaps an operation")
	f.StringVar(&o.serial, "serial", "", "write the trace with its transactions one after the other to `FILE`")
	o.addTable(f)
	f.BoolVar(&o.timings, "timings", false, "print how long it took, and the memory")
	return cmd
}

// openEvents opens the trace in a file as often as needed; standard input is read once, into memory.
type openEvents struct {
	name string
	data []byte // of standard input
}

func (t *openEvents) open() (io.ReadCloser, error) {
	if t.data != nil {
		return io.NopCloser(bytes.NewReader(t.data)), nil
	}
	return os.Open(t.name)
}

// source reads the trace from its beginning.
func (t *openEvents) source(recorded bool) (events.Source, error) {
	if recorded {
		return events.Recorded(t.open)
	}
	return events.STD(t.open)
}

// eventsOf finds out what a file is.
func eventsOf(cmd *cobra.Command, name string) (func() (events.Source, error), error) {
	in, err := openTrace(cmd, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	t := &openEvents{name: name}
	if !in.regular {
		if t.data, err = io.ReadAll(in); err != nil {
			return nil, asInputError(name, err)
		}
		if t.data == nil {
			t.data = []byte{}
		}
	}
	recorded := in.recorded() || bytes.HasPrefix(t.data, []byte(trace.Magic))
	return func() (events.Source, error) { return t.source(recorded) }, nil
}

// yieldsIn are the yields that a recorded trace has besides its events.
func yieldsIn(name string) (lines []string) {
	if f, err := os.Open(name); err == nil {
		defer f.Close()
		if r, err := trace.NewReader(f); err == nil {
			return r.Header().Yields
		}
	}
	return nil
}

func (o *cooperableFlags) run(cmd *cobra.Command, files []string) error {
	o.infer = o.infer || o.minimise
	switch {
	case !o.isFormat():
		return inputError("--format", "no format %q; write text or json, or csv with --table", o.format)
	case len(files) > 1 && o.serial != "":
		return inputError("--serial", "needs one trace, not %d; name one", len(files))
	}
	given, err := readYields(o.yields)
	if err != nil {
		return err
	}
	var all []*cooperableRun
	missing, cut, racy := false, false, false
	for _, name := range files {
		r, err := o.check(cmd, name, given)
		if err != nil {
			return err
		}
		all = append(all, r)
		missing, cut = missing || len(r.report.Places) > 0, cut || r.report.Cut != ""
		racy = racy || len(r.report.Races) > 0
	}
	if err := o.print(cmd.OutOrStdout(), all); err != nil {
		return asInputError("standard output", err)
	}
	for _, r := range all {
		if r.report.Cut != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s: the trace ends in the middle: %s; what is there was checked\n",
				r.name, r.report.Cut)
		}
	}
	switch {
	case missing:
		return status(statusViolation)
	case cut:
		return status(statusFailed)
	case racy:
		return status(statusUnknown)
	}
	return nil
}

// readYields reads a file of yields, if one is named.
func readYields(name string) (*cooperable.Places, error) {
	if name == "" {
		return &cooperable.Places{}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, inputError("--yields", "%v", err)
	}
	defer f.Close()
	p, err := cooperable.ReadPlaces(f)
	if err != nil {
		return nil, inputError(name, "%v", err)
	}
	return p, nil
}

// cooperableRun is what one trace is like.
type cooperableRun struct {
	name   string
	report *cooperable.Report
	points *cooperable.Interference // with --table and --source
	root   string                   // of the source
}

// check checks one trace.
func (o *cooperableFlags) check(cmd *cobra.Command, name string, given *cooperable.Places) (*cooperableRun, error) {
	open, err := eventsOf(cmd, name)
	if err != nil {
		return nil, err
	}
	s, err := open()
	if err != nil {
		return nil, positioned(name, err)
	}
	if err := given.Read(strings.NewReader(strings.Join(yieldsIn(name), "\n"))); err != nil {
		return nil, positioned(name, err)
	}
	options := cooperable.Options{Infer: o.infer, Yields: given.Before(s)}
	var order *cooperable.Serial
	if o.serial != "" {
		order = &cooperable.Serial{}
		options = order.Options(options)
	}
	begin := time.Now()
	r, err := cooperable.Check(cmd.Context(), s, options)
	if err != nil {
		return nil, positioned(name, err)
	}
	if o.timings {
		took := time.Since(begin).Seconds()
		fmt.Fprintf(cmd.ErrOrStderr(), "seconds      %.3f (%.1f million events a second)\nmemory       %.0f MiB\n", took,
			float64(r.Events)/took/1e6, limit.PeakMiB())
	}
	if order != nil {
		if len(r.Places) > 0 && !o.infer {
			return nil, inputError("--serial", "%s has no serial order: yields are missing; write --infer as well", name)
		}
		write := func(w io.Writer) error { return writeOrder(w, s, order) }
		err := writeFile("--serial", o.serial, cmd.OutOrStdout(), write)
		if err != nil {
			return nil, err
		}
	}
	if o.minimise {
		again := cooperable.Options{Infer: true}
		if err := r.Minimise(cmd.Context(), func() (events.Source, error) {
			s, err := open()
			if err == nil {
				again.Yields = given.Before(s)
			}
			return s, err
		}, again); err != nil {
			return nil, positioned(name, err)
		}
	}
	run := &cooperableRun{name: name, report: r}
	if o.table || o.source {
		run.root = rootOf(name)
		if run.points, err = cooperable.Measure(cmd.Context(), open, given); err != nil {
			return nil, positioned(name, err)
		}
	}
	if o.infer {
		given.Add(r)
	}
	return run, nil
}

// print prints the results in the format that is asked for.
func (o *cooperableFlags) print(w io.Writer, all []*cooperableRun) error {
	switch {
	case o.table:
		return o.writeTable(w, all)
	case o.format == "json":
		return writeCooperableJSON(w, all, o.infer)
	case o.source:
		return writeColumns(w, all)
	}
	return o.writeText(w, all)
}

// writeOrder writes a serial trace in the STD format.
func writeOrder(w io.Writer, s events.Source, order *cooperable.Serial) error {
	last, blocks := events.Event{}, map[uint32]int{}
	ok, err := order.Write(func(e events.Event, inferred bool) error {
		line := std.Line{Thread: s.Thread(e.Thread), Place: std.Place(s.Place(e.Place).Pos)}
		if inferred { // a block that it is in is not one
			n := blocks[e.Thread]
			for _, op := range slices.Concat(slices.Repeat([]std.Op{std.End}, n), []std.Op{std.Yield},
				slices.Repeat([]std.Op{std.Begin}, n)) {
				line.Op = op
				if _, err := w.Write(line.AppendTo(nil)); err != nil {
					return err
				}
			}
		}
		switch e.Op {
		case events.BlockBegin:
			blocks[e.Thread]++
		case events.BlockEnd:
			blocks[e.Thread]--
		}
		half := e.Number == last.Number && e.Thread == last.Thread
		last = e
		if half || e.Op == events.End { // of what has been written
			return nil
		}
		_, err := fmt.Fprintf(w, "%s|%s|%s\n", line.Thread, s.Text(e), line.Place)
		return err
	})
	if err == nil && !ok {
		err = errors.New("internal error: the transactions have no order")
	}
	return err
}

// writeText prints the results for a reader.
func (o *cooperableFlags) writeText(w io.Writer, all []*cooperableRun) error {
	for _, r := range all {
		p := r.report
		s := p.Stats
		what := fmt.Sprintf("%s, %s, %s", count(s.Events, "event"), count(s.Transactions, "transaction"),
			count(s.Threads, "thread"))
		switch {
		case len(p.Places) == 0 && p.Cut != "":
			fmt.Fprintf(w, "%s: no yield is missing in the part of the trace that could be read; %s\n", r.name, what)
		case len(p.Places) == 0 && slices.ContainsFunc(p.Races, func(r *cooperable.Race) bool { return !r.Known }):
			fmt.Fprintf(w, "%s: no yield is missing as far as the order of the accesses is known; %s\n", r.name, what)
		case len(p.Places) == 0 && len(p.Races) > 0:
			fmt.Fprintf(w, "%s: no yield is missing, but accesses race; %s\n", r.name, what)
		case len(p.Places) == 0:
			fmt.Fprintf(w, "%s: cooperable; %s\n", r.name, what)
		case o.infer:
			fmt.Fprintf(w, "%s: %s inferred, needed %s; %s\n\n", r.name, count(len(p.Places), "yield"),
				times(s.Violations), what)
		default:
			fmt.Fprintf(w, "%s: not cooperable: yields are missing at %s, %s; %s\n\n", r.name, count(len(p.Places), "place"),
				times(s.Violations), what)
		}
		if err := p.WriteText(w); err != nil {
			return err
		}
		if o.minimise {
			for _, m := range p.Places {
				if !m.Needed {
					fmt.Fprintf(w, "\nNo yield is needed before %s at %s: the others are enough.", m.Event.Text,
						m.Event.At(p.Unit))
				}
			}
			if len(p.Places) > 0 {
				fmt.Fprintln(w)
			}
		}
	}
	return nil
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
