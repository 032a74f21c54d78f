package cooperable

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/events"
)

// Interference are the points of a program at which a reader has to think of other threads, as far as a trace
// tells, under three semantics.
type Interference struct {
	Threads int
	// Preemptive are the places of accesses and acquires. Atomic are those of them outside of functions that are
	// atomic. Cooperative are the places of yields: those that are inferred, and those that come with waiting.
	Preemptive, Atomic, Cooperative []events.Place
	Calls                           int      // of an atomic function by another one that is not: pairs of such functions
	NonAtomic                       []string // functions
	Intended                        int      // places of yields that the program has
	Errors                          int      // places at which yields are missing besides those
	Races                           int      // places of accesses that race with an earlier one
	Files                           []string // that something was done in
}

// AtomicPoints is how many points there are under the semantics of atomic functions.
func (x *Interference) AtomicPoints() int { return len(x.Atomic) + x.Calls }

// Measure finds the points of interference in a trace, which is opened several times. Which functions are atomic is
// found out by letting those that a cycle runs through be none, until there is no cycle.
func Measure(ctx context.Context, open func() (events.Source, error), given *Places) (*Interference, error) {
	m := &measure{ctx: ctx, open: open, given: given, nonAtomic: map[string]bool{}}
	for {
		before := len(m.nonAtomic)
		if err := m.blame(); err != nil {
			return nil, err
		}
		if len(m.nonAtomic) == before {
			break
		}
	}
	x := &Interference{NonAtomic: slices.Sorted(maps.Keys(m.nonAtomic))}
	all, err := m.points(x)
	if err != nil {
		return nil, err
	}
	missing, err := m.check(Options{})
	if err != nil {
		return nil, err
	}
	x.Errors, x.Races = len(missing.Places), missing.racingPlaces()
	inferred, err := m.check(Options{Infer: true})
	if err != nil {
		return nil, err
	}
	for place := range inferred.Yielded {
		all[place] = true
	}
	for _, p := range inferred.Places {
		all[p.Where] = true
	}
	x.Cooperative, x.Threads = sorted(all), inferred.Threads
	return x, nil
}

type measure struct {
	ctx       context.Context
	open      func() (events.Source, error)
	given     *Places
	nonAtomic map[string]bool
}

// check checks the trace once.
func (m *measure) check(o Options) (*Report, error) {
	s, err := m.open()
	if err != nil {
		return nil, err
	}
	o.Yields = m.given.Before(s)
	return Check(m.ctx, s, o)
}

// isAtomic tells whether a function is, as far as is known.
func (m *measure) isAtomic(s events.Source, e events.Event) bool {
	return !m.nonAtomic[s.Place(e.Place).Function]
}

// blame finds functions that are not atomic.
func (m *measure) blame() error {
	s, err := m.open()
	if err != nil {
		return err
	}
	found := map[string]bool{}
	_, err = Check(m.ctx, s, Options{
		Atomic: func(e events.Event) bool { return m.isAtomic(s, e) },
		Found: func(v Violation) {
			for _, f := range v.Functions {
				found[s.Place(f.Place).Function] = true
			}
		},
	})
	maps.Copy(m.nonAtomic, found)
	return err
}

// points finds the places for which no inference is needed, and returns those of yields.
func (m *measure) points(x *Interference) (map[events.Place]bool, error) {
	s, err := m.open()
	if err != nil {
		return nil, err
	}
	preemptive, atomic, intended := map[events.Place]bool{}, map[events.Place]bool{}, map[events.Place]bool{}
	calls, files := map[[2]string]bool{}, map[string]bool{}
	stacks := map[uint32][]string{}
	given := m.given.Before(s)
	for {
		e, err := s.Next()
		if cut := (*events.CutError)(nil); err == io.EOF || errors.As(err, &cut) {
			break
		}
		if err != nil {
			return nil, err
		}
		place, stack := s.Place(e.Place), stacks[e.Thread]
		if file, _, ok := strings.Cut(place.Pos, ":"); ok {
			files[file] = true
		}
		inAtomic := slices.ContainsFunc(stack, func(f string) bool { return !m.nonAtomic[f] })
		switch {
		case e.Op == events.Enter:
			if n := len(stack); n > 0 && !inAtomic && !m.nonAtomic[place.Function] {
				calls[[2]string{stack[n-1], place.Function}] = true
			}
			stacks[e.Thread] = append(stack, place.Function)
		case e.Op == events.Leave:
			stacks[e.Thread] = stack[:max(len(stack)-1, 0)]
		case e.Op == events.Yield || given != nil && given(e):
			intended[place] = true
		}
		if events.Table[e.Op].Point {
			preemptive[place] = true
			if !inAtomic {
				atomic[place] = true
			}
		}
	}
	x.Preemptive, x.Atomic = sorted(preemptive), sorted(atomic)
	x.Calls, x.Intended, x.Files = len(calls), len(intended), slices.Sorted(maps.Keys(files))
	return intended, nil
}

func sorted(set map[events.Place]bool) []events.Place {
	return slices.SortedFunc(maps.Keys(set), func(a, b events.Place) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Function, b.Function))
	})
}
