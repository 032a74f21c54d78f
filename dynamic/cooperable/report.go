package cooperable

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/races"
)

// Report is what a trace is like.
type Report struct {
	Stats
	Unit       string               // what events are counted by: "line" or "event"
	Places     []*Missing           // where yields are missing, in the order of the trace
	Yielded    map[events.Place]int // where yields came with an event that waits, and how often
	Cut        string               // why the trace ends in the middle, or ""
	Strange    int                  // goroutines that nobody is known to have started
	Races      []*Race              // accesses of a run that race, in the order of the trace
	source     events.Source
	placeOf    map[where]*Missing
	isInferred bool
}

// Race is two places whose accesses race: nothing orders them.
type Race struct {
	First, Second Event // the first ones there
	Count         int
	Known         bool // which of them was first is known; another build of the program may do otherwise all the same
}

// maxRaces bounds the races that are told.
const maxRaces = 100

// Missing is a place at which a yield is missing.
type Missing struct {
	Where   events.Place
	Event   Event // the first one there
	Count   int   // how often a yield was missing
	Needed  bool  // see Minimise
	InBlock bool
	// Functions are those that are not atomic because of it: what they do was interfered with before the place.
	Functions []string
	Cycle     []NamedEdge
	Conflicts []Conflict // the most frequent first
	key       where
}

// Conflict is an operation that an event at a place had to follow.
type Conflict struct {
	With  string // the operation and its place
	Count int
}

// Event is an event as it is shown.
type Event struct {
	Thread string
	Number int
	Text   string
	Where  events.Place
}

// NamedEdge is why the transaction of one thread comes before that of the next.
type NamedEdge struct {
	Thread        string
	Begin, Last   int // numbers of the events of its transaction, so far
	Before, After Event
	Later         bool // the next edge starts in a later transaction of the next thread
}

// where tells places apart. Where a trace has no places, operations on different objects are different.
type where struct {
	place  events.Place
	op     events.Op
	object uint64
}

// Key of the place of an event.
func (r *Report) key(e events.Event) where { return keyOf(r.source, e) }

func keyOf(s events.Source, e events.Event) where {
	k := where{s.Place(e.Place), e.Op, 0}
	if k.place.Pos == "" {
		k.object = e.Object
	}
	return k
}

// Check reads a trace to its end. Errors are those of the trace and of the context.
func Check(ctx context.Context, s events.Source, o Options) (*Report, error) {
	r := &Report{Unit: s.Unit(), source: s, placeOf: map[where]*Missing{}, Yielded: map[events.Place]int{},
		isInferred: o.Infer}
	outer := o.Found
	o.Found = func(v Violation) {
		r.found(v)
		if outer != nil {
			outer(v)
		}
	}
	c, d := New(o), r.detector(s)
	for n := 0; ; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e, err := s.Next()
		cut := (*events.CutError)(nil)
		switch {
		case err == io.EOF:
		case errors.As(err, &cut):
			r.Cut = cut.Why
		case err != nil:
			return nil, err
		default:
			c.Add(e)
			d(e)
			if e.Yields() {
				r.Yielded[s.Place(e.Place)]++
			}
			continue
		}
		break
	}
	r.Stats = c.Stats()
	if s, ok := s.(interface{ Strange() int }); ok {
		r.Strange = s.Strange()
	}
	for _, m := range r.Places {
		slices.SortStableFunc(m.Conflicts, func(a, b Conflict) int { return cmp.Compare(b.Count, a.Count) })
	}
	return r, nil
}

// detector finds the races of a run. In a trace of another kind the order is the one that it says.
func (r *Report) detector(s events.Source) func(events.Event) {
	if run, ok := s.(interface{ OfRun() bool }); !ok || !run.OfRun() {
		return func(events.Event) {}
	}
	d, known := races.New(), map[[2]where]*Race{}
	found := func(race races.Race) {
		k := [2]where{r.key(race.First), r.key(race.Second)}
		at := known[k]
		if at == nil {
			at = &Race{First: r.event(race.First), Second: r.event(race.Second)}
			if exact, ok := s.(interface{ Exact(place uint32) bool }); ok {
				at.Known = exact.Exact(race.First.Place) && exact.Exact(race.Second.Place)
			}
			known[k] = at
			if len(r.Races) < maxRaces {
				r.Races = append(r.Races, at)
			}
		}
		at.Count++
	}
	return func(e events.Event) { d.Add(e, found) }
}

// racingPlaces is at how many places something is done that races with what was done before.
func (r *Report) racingPlaces() int {
	places := map[string]bool{}
	for _, race := range r.Races {
		places[race.Second.Where.Pos] = true
	}
	return len(places)
}

// found takes in a violation.
func (r *Report) found(v Violation) {
	k := r.key(v.Event)
	m := r.placeOf[k]
	if m == nil {
		m = &Missing{Where: k.place, Event: r.event(v.Event), InBlock: v.InBlock, Needed: true, key: k}
		for i, e := range v.Cycle {
			next := v.Cycle[(i+1)%len(v.Cycle)].Before.Of
			of := e.Before.Of
			m.Cycle = append(m.Cycle, NamedEdge{r.source.Thread(of.Thread), of.Begin.Number, of.Last,
				r.event(e.Before.Event), r.event(e.After.Event), next != e.After.Of})
		}
		r.placeOf[k] = m
		r.Places = append(r.Places, m)
	}
	m.Count++
	for _, f := range v.Functions {
		if name := r.source.Place(f.Place).Function; name != "" && !slices.Contains(m.Functions, name) {
			m.Functions = append(m.Functions, name)
		}
	}
	with := v.Cycle[len(v.Cycle)-1].Before.Event
	text := r.source.Text(with)
	if pos := r.source.Place(with.Place).Pos; pos != "" {
		text = with.Op.String() + " at " + pos
	}
	for i := range m.Conflicts {
		if m.Conflicts[i].With == text {
			m.Conflicts[i].Count++
			return
		}
	}
	if len(m.Conflicts) < maxConflicts {
		m.Conflicts = append(m.Conflicts, Conflict{text, 1})
	}
}

// maxConflicts bounds what is told of a place.
const maxConflicts = 100

func (r *Report) event(e events.Event) Event {
	return Event{r.source.Thread(e.Thread), e.Number, r.source.Text(e), r.source.Place(e.Place)}
}
