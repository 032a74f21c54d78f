package waitfor

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/scenarios"
)

// Spin is a goroutine that had not ended and did nothing any more but look at what did not change.
type Spin struct {
	Number  uint32
	Started Place
	Looks   []Look
	Rounds  int // how often it has looked, the most that it has looked at one thing
	// With is, of a livelock, the others: each has failed to get a lock that another one of them has taken, and lets go
	// of again.
	With []*Spin
	// Certain tells that its loop ends only by what it looks at, and that nobody was left who could change that: all
	// other goroutines that were recorded had ended, waited for what only one of these could do, or went round like
	// this one.
	Certain bool
	asks    asking // the most that the source says of one of its looks
	goes    *goroutine
}

// Look is what such a goroutine looks at.
type Look struct {
	What   string
	At     Place
	HeldBy string // of a lock that it tries to get: who has it
}

// Name names it as other commands do.
func (s *Spin) Name() string { return nameOf(s.Number) }

// Class is the class of the error.
func (s *Spin) Class() scenarios.Class {
	name := "no-progress"
	if len(s.With) > 0 {
		name = "livelock"
	}
	class, _ := scenarios.ClassByName(name)
	return class
}

// ID is the stable id.
func (s *Spin) ID() string {
	var parts []string
	for _, l := range s.Looks {
		parts = append(parts, l.At.Function+" "+l.What)
	}
	return s.Class().ID(parts...)
}

// A goroutine spins if it has looked so often at one thing, and at no more than so many, without doing anything else.
const (
	mostLooks   = 8
	manyLooks   = 100
	mostPrivate = 2
)

// looks is what a goroutine has looked at since it has done something that others could notice, or has seen a change.
type looks struct {
	all []looked
	own [mostPrivate]location // what only it has written since, a counter, say
}

// looked is what a goroutine looks at in one place.
type looked struct {
	record trace.Record
	count  int
	seen   uint64 // the number of the write that it sees
	holder uint32 // of a lock: who has it
}

// look follows whether a goroutine gets on.
func (e *ending) look(g *goroutine, r trace.Event) {
	switch r.Op {
	case trace.Read, trace.AtomicRead, trace.TryLockFailed, trace.Declined:
		e.looksAt(g, r.Record)
	case trace.Lock, trace.RLock:
		if e.header.Site(r.Site).Kind == "trylock" { // it has got it
			g.looks = looks{all: g.looks.all[:0]}
		}
	case trace.Unlock, trace.RUnlock, trace.UnitBegin, trace.UnitEnd, trace.UnitWith, trace.UnitSplit, trace.Waits,
		trace.Escape, trace.ObjectMade, trace.Room, trace.Yield:
	case trace.Write:
		if e.isOwn(g, r) {
			return
		}
		fallthrough
	default:
		g.looks = looks{all: g.looks.all[:0]}
	}
}

// isOwn tells whether a write is to what the goroutine has written itself before, and nobody else: a few of these may
// be counters of its rounds.
func (e *ending) isOwn(g *goroutine, r trace.Event) bool {
	at := e.locationOf(r.Record)
	if w := e.written[at]; w.number == 0 || w.goroutine != r.Goroutine {
		return false
	}
	for i := range g.looks.own {
		switch g.looks.own[i] {
		case at:
			return true
		case location{}:
			g.looks.own[i] = at
			return true
		}
	}
	return false
}

// looksAt takes in a look.
func (e *ending) looksAt(g *goroutine, r trace.Record) {
	sees, holder := uint64(0), uint32(0)
	switch r.Op {
	case trace.Read, trace.AtomicRead:
		at := e.locationOf(r)
		if slices.Contains(g.looks.own[:], at) && at != (location{}) {
			return
		}
		sees = e.written[at].number
	case trace.TryLockFailed:
		if held := e.held[r.Object]; len(held) > 0 {
			holder = held[0].number
		}
	}
	all := g.looks.all
	i := slices.IndexFunc(all, func(l looked) bool {
		return l.record.Site == r.Site && l.record.Object == r.Object && l.record.Op == r.Op
	})
	switch {
	case i < 0 && len(all) == mostLooks:
		g.looks.all = all[:0]
	case i < 0:
		g.looks.all = append(all, looked{r, 1, sees, holder})
	case all[i].seen != sees:
		g.looks.all = append(all[:0], looked{r, 1, sees, holder})
	default:
		all[i].count++
		all[i].holder = holder
	}
}

// spin tells of a goroutine that has not ended, nil if it does not spin.
func (e *ending) spin(number uint32, g *goroutine) *Spin {
	if g.last.Op == trace.Waits {
		return nil
	}
	s := &Spin{Number: number, Started: g.started, goes: g}
	for _, l := range g.looks.all {
		what := e.nameOf(l.record)
		switch l.record.Op {
		case trace.TryLockFailed:
			what = "lock " + what
		case trace.Declined:
			what = "channel " + what
		}
		out := Look{What: what, At: e.place(l.record.Site)}
		if l.holder != 0 {
			out.HeldBy = nameOf(l.holder)
		}
		s.Looks = append(s.Looks, out)
		s.Rounds = max(s.Rounds, l.count)
		s.asks = max(s.asks, e.sources.asks(out.At.Pos))
	}
	if s.Rounds < manyLooks || s.asks == computes {
		return nil
	}
	return s
}

// livelocks finds the goroutines that go round because of each other, and whether anybody is left who could end that.
func (r *Report) livelocks() {
	slices.SortFunc(r.Spinning, func(a, b *Spin) int { return int(a.Number) - int(b.Number) })
	fails := func(s, other *Spin) bool {
		return slices.ContainsFunc(s.goes.looks.all, func(l looked) bool {
			return l.record.Op == trace.TryLockFailed && l.count >= manyLooks && l.holder == other.Number
		})
	}
	for _, s := range r.Spinning { // those that lead from it back to it
		reached := []*Spin{s}
		for i := 0; i < len(reached); i++ {
			for _, other := range r.Spinning {
				if !slices.Contains(reached, other) && fails(reached[i], other) {
					reached = append(reached, other)
				}
			}
		}
		if slices.ContainsFunc(reached[1:], func(other *Spin) bool { return fails(other, s) }) {
			s.With = reached[1:]
		}
	}
	r.settle()
}

// settle finds out whether anybody is left who could change what those look at that spin.
func (r *Report) settle() {
	certain := r.Others == 0
	for _, g := range r.ending.goroutines {
		certain = certain && (g.ended || g.last.Op != 0) // one is still to begin, when a timer goes off
	}
	for _, g := range r.Waiting {
		mayBeTold := g.Op == trace.Recv || g.Op == 0 // by a timer, or the system
		certain = certain && (g.Leaked || !mayBeTold)
	}
	for _, s := range r.Spinning {
		s.Certain = certain && s.asks == asks
	}
}

// Spins tells whether it is certain of some goroutine that it does not get on.
func (r *Report) Spins() bool {
	return slices.ContainsFunc(r.Spinning, func(s *Spin) bool { return s.Certain })
}

// IsStuck tells whether main has not ended, and it is certain that no goroutine gets on any more.
func (r *Report) IsStuck() bool {
	main := r.ending.goroutines[1]
	return r.Spins() && main != nil && !main.ended
}
