// Package dynamic checks runs of a program: what an instrumented program has recorded, or
// is recording, is matched with the patterns of package scenarios.
//
//	trace      the record of a run, in one order     dynamic/trace
//	units      events of units of work               dynamic/units
//	automata   the patterns, matched on the events   dynamic/automata
//	watch      what was watched for                  dynamic/watch
//
// Beside that, for all that a run has shared: events are the operations of a trace with the table of
// which of them conflict (dynamic/events), cooperable says where yields are missing (dynamic/cooperable), yields reads
// and writes those in the source (dynamic/yields), races finds the accesses whose order is not known (dynamic/races).
//
// A finding is in the same form as a violation that the static half has found, so that it
// is shown in the same way.
package dynamic

import (
	"context"
	"errors"
	"io"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/racing"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/units"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// Finding is a violation that was seen in a run.
type Finding struct {
	Set       int                   // of the plan
	Violation empire.ScenarioResult // with the accesses that match, and who made them
	Schedule  []uint64              // for each event of the pattern, which record of the run it is, from 1
}

// Report is what a run was like.
type Report struct {
	Header   *trace.Header
	Plan     *watch.Plan
	Findings []*Finding // in the order in which they happened, each once
	Stats    empire.RunStats
	Races    []racing.Race // that the run has had; nil: nobody has looked for them
}

// Options say how a run is checked. The zero value is good.
type Options struct {
	Plan  *watch.Plan         // what was watched; nil: as the trace says
	Found func(*Finding)      // is called when a violation is seen, if it is not nil; conflict cycles come last
	Event func(e trace.Event) // is called with each record, in order, if it is not nil
	Kept  bool                // the trace was kept in a file, which has an end if it is whole
}

// Check reads a trace, which may be the pipe of a program that is running, to its end. Its
// errors are those of the trace's beginning (they wrap trace.ErrFormat), of its plan, of
// the reader, and of the context; what was found until then is in the report.
func Check(ctx context.Context, in io.Reader, o Options) (*Report, error) {
	r, err := trace.NewReader(in)
	if err != nil {
		return nil, err
	}
	report := &Report{Header: r.Header(), Plan: o.Plan}
	if report.Plan == nil {
		if len(report.Header.Plan) == 0 {
			return nil, errors.New("the trace does not say what was watched: it was not recorded by empire-go run or " +
				"empire-go test")
		}
		if report.Plan, err = watch.Decode(report.Header.Plan); err != nil {
			return nil, err
		}
	}
	m := &matcher{report: report, found: o.Found, seen: map[identity]bool{}, noted: map[identity]bool{},
		explained: map[pairOfUnits]bool{}, facts: newFacts(report.Plan), syncNames: map[uint32]string{}}
	if m.engine, err = automata.New(report.Plan.Policy.Table(), m.match); err != nil {
		return nil, err
	}
	m.engine.Wanted = m.isNew
	if len(m.facts.apart) > 0 {
		m.engine.Apart = m.areApart
	}
	m.engine.Code = func(u *automata.Unit) uint32 { return unitOf(u).Frame.Site }
	m.tracker = units.New(report.Header, report.Plan, m.engine)
	err = m.read(ctx, r, o.Event)
	m.tracker.Close()
	m.cycles()
	m.finish(r.Stats())
	report.Stats.NoEnd = o.Kept && !r.Stats().Ended
	return report, err
}

// read gives all records to the tracker.
func (m *matcher) read(ctx context.Context, r *trace.Reader, event func(trace.Event)) error {
	for n := uint(0); ; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if event != nil {
			event(e)
		}
		m.goroutines = max(m.goroutines, int(e.Goroutine))
		m.tracker.Add(e)
	}
}

// finish counts what was seen.
func (m *matcher) finish(read trace.Stats) {
	seen, matched := m.tracker.Stats(), m.engine.Stats()
	m.report.Stats = empire.RunStats{
		Events: seen.Accesses, Private: seen.Private, Goroutines: m.goroutines, Units: matched.Units,
		MaxTuples: matched.MaxTuples, AverageDepth: seen.AverageDepth(), Unpaired: matched.Unpaired,
		Lost: read.Unordered, Damaged: read.Damaged, Torn: read.Torn, Open: read.Open,
		Reduced: m.report.Header.Reduced,
	}
}

// Reduction returns what a program is to be given so that it leaves out, while it runs, what matches no
// pattern; nil if nothing may be left out for what the plan asks.
func Reduction(h *trace.Header) ([]byte, error) {
	plan, err := watch.Decode(h.Plan)
	if err != nil {
		return nil, err
	}
	return units.Reduction(h, plan), nil
}
