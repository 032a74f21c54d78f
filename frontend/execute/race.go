package execute

import (
	"context"
	"iter"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/limit"
)

// Race is two accesses to the same memory, not both of them atomic and not both reads, that could
// have been carried out at the same moment of a run.
type Race struct {
	Accesses [2]ssa.Instruction
	IsWrite  [2]bool
	OfSet    bool // the memory is of the fields that are watched
	IsBare   bool // neither goroutine synchronises, see isBare
}

// nextAccess is an access that a goroutine is about to make.
type nextAccess struct {
	to       any // *cell or *mapping; nil: none
	kind     int
	at       ssa.Instruction
	isAtomic bool
}

// conflicts tells whether two accesses of different goroutines may be a race.
func (a nextAccess) conflicts(b nextAccess) bool {
	return (a.kind != Read || b.kind != Read) && !(a.isAtomic && b.isAtomic) && overlap(a.to, b.to)
}

// pointAt is the scheduling point before a plain access to memory that others can reach.
func (g *goroutine) pointAt(to any, kind int) {
	if g.m.notes && g.top != nil && g.top.fn.ssa.Pkg == g.m.program.main {
		return // a trial notes what its functions are called with: in one step
	}
	if !g.m.idle && !g.m.detects {
		g.point(nil)
		return
	}
	g.isAbout(nextAccess{to: to, kind: kind})
	g.point(nil)
	g.about = nextAccess{}
}

// pointAtomic is the scheduling point before an atomic operation.
func (g *goroutine) pointAtomic(c *cell, kind int) {
	if c.mem.shared && (g.m.idle || g.m.detects) {
		g.isAbout(nextAccess{to: c, kind: kind, isAtomic: true})
	}
	g.pointFor(c, nil)
	g.about = nextAccess{}
}

// isAbout notes what the goroutine is about to do, and with which it races that another one is about to do.
func (g *goroutine) isAbout(a nextAccess) {
	if g.top != nil {
		a.at = g.top.instr
	}
	g.about = a
	if g.m.meets {
		g.noteAccess()
	}
	for _, other := range g.m.goroutines {
		if other != g && !other.done && other.about.to != nil && a.conflicts(other.about) {
			g.m.addRace(other, g)
		}
	}
}

// guarded is an access with the locks that are held at it; true: exclusively.
type guarded struct {
	nextAccess
	by      *goroutine
	locks   map[*cell]bool
	bare    bool // see isBare
	bareSet bool // where the memory is of the fields that are watched
}

// noteAccess compares the access that the goroutine is at with those of the others so far. Where two
// conflict and no lock keeps them apart, their order may matter: preemptions are tried there. Anywhere else a
// preemption has the effect of one at the synchronisation before it (as in CHESS: Musuvathi and
// Qadeer, PLDI 2007, section 3.1).
func (g *goroutine) noteAccess() {
	m := g.m
	a := guarded{nextAccess: g.about, by: g, locks: map[*cell]bool{}, bare: g.isBare(false), bareSet: g.isBare(true)}
	for c, n := range g.held {
		if s, ok := c.state.(*lockState); ok && n > 0 {
			a.locks[c] = s.writer && s.owner == g
		}
	}
	var memory any = a.to
	if c, ok := a.to.(*cell); ok {
		memory = c.mem
	}
	if m.noted == nil {
		m.noted = map[any]*noted{}
	}
	known := m.noted[memory]
	if known == nil {
		known = &noted{at: map[any][]guarded{}}
		m.noted[memory] = known
	}
	isKnown := false
	for b := range known.near(a.to) {
		isKnown = isKnown || b.isLike(a)
		if b.by != g && a.conflicts(b.nextAccess) && !a.isGuardedFrom(b) {
			m.program.unguarded[a.at], m.program.unguarded[b.at] = true, true
			m.bare = m.bare || g.site == nil && b.by.site == nil && m.isBare(a, b)
		}
	}
	if !isKnown {
		known.add(a)
	}
}

// noted is the accesses to what one allocation has made, so far.
type noted struct {
	at    map[any][]guarded // of one cell without parts, or a map
	whole []guarded         // of cells with parts
}

// near yields the accesses that may overlap with one.
func (n *noted) near(to any) iter.Seq[guarded] {
	return func(yield func(guarded) bool) {
		lists := [][]guarded{n.whole, n.at[to]}
		if hasParts(to) {
			lists = append([][]guarded{n.whole}, slices.Collect(maps.Values(n.at))...)
		}
		for _, list := range lists {
			for _, a := range list {
				if !yield(a) {
					return
				}
			}
		}
	}
}

func (n *noted) add(a guarded) {
	if hasParts(a.to) {
		n.whole = append(n.whole, a)
	} else {
		n.at[a.to] = append(n.at[a.to], a)
	}
}

// hasParts tells whether other places are in a place.
func hasParts(to any) bool {
	c, ok := to.(*cell)
	return ok && (len(c.parts) > 0 || c.view != nil)
}

// isLike tells whether an access is one that was noted before.
func (a guarded) isLike(b guarded) bool {
	return a.nextAccess == b.nextAccess && a.by == b.by && maps.Equal(a.locks, b.locks)
}

// isGuardedFrom tells whether a lock keeps two accesses apart.
func (a guarded) isGuardedFrom(b guarded) bool {
	for lock, exclusive := range a.locks {
		if other, both := b.locks[lock]; both && (exclusive || other) {
			return true
		}
	}
	return false
}

// isGuarded tells whether the goroutine is at an access that need not be preempted.
func (g *goroutine) isGuarded() bool {
	return g.about.to != nil && !g.about.isAtomic && g.about.at != nil && !g.m.program.unguarded[g.about.at]
}

// maxRaces bounds the races of one run.
const maxRaces = 8

// addRace notes that the accesses race that two goroutines are about to make.
func (m *machine) addRace(g, h *goroutine) {
	a, b := g.about, h.about
	if a.at == nil || b.at == nil || len(m.races) >= maxRaces {
		return
	}
	ofSet := m.isOfSet(b.to)
	m.races = append(m.races, Race{Accesses: [2]ssa.Instruction{a.at, b.at},
		IsWrite: [2]bool{a.kind != Read, b.kind != Read}, OfSet: ofSet, IsBare: g.isBare(ofSet) && h.isBare(ofSet)})
}

// isOfSet tells whether memory is of the fields that are watched.
func (m *machine) isOfSet(to any) bool {
	if c, ok := to.(*cell); ok {
		return len(m.locations(c)) > 0
	}
	return len(m.reached(to)) > 0
}

// isBare tells whether neither of two accesses is with synchronisation.
func (m *machine) isBare(a, b guarded) bool {
	return a.bare && b.bare && (a.bareSet && b.bareSet || !m.isOfSet(b.to))
}

// isBare tells whether the goroutine does not synchronise where it is: it holds no lock, and, where the memory is
// of the fields that are watched, has not taken one before, as who lets it go too early has. A channel with a buffer
// may be a lock.
func (g *goroutine) isBare(ofSet bool) bool {
	return !g.holdsLocks() && !(ofSet && g.locked) && !g.buffers
}

// overlap tells whether two places have memory in common.
func overlap(a, b any) bool {
	if a == b {
		return true
	}
	c, ok := a.(*cell)
	d, also := b.(*cell)
	return ok && also && c.mem == d.mem && (Place{c}.IsIn(Place{d}) || Place{d}.IsIn(Place{c}))
}

// Races looks for races of the program on what is watched, in runs with so many instructions, until one of
// them is enough.
func (p *Program) Races(ctx context.Context, s *Subject, instructions int, enough func(Race) bool) (
	runs int, err error) {
	w := newWatch(s)
	err = searchSchedules(1, 400, func(_ Schedule, shown *Shown) bool {
		for _, r := range shown.Races {
			if r.OfSet && enough(r) {
				return true
			}
		}
		return instructions < 0 || ctx.Err() != nil
	}, func(schedule Schedule) (*Shown, error) {
		shown := &Shown{}
		m := p.newMachine(w)
		m.detects = true
		m.decide = func(options []*goroutine, current *goroutine) int {
			k := min(schedule.Choices[len(shown.Trail)], len(options)-1)
			shown.Trail = append(shown.Trail, Choice{len(options), options[0] == current})
			return k
		}
		m.among = func(int) int { return 0 }
		m.run()
		runs++
		done := p.steps - m.steps + m.initial
		instructions -= done
		limit.Pay(ctx, limit.Instruction*limit.Work(done))
		shown.Races = m.races
		return shown, m.err
	})
	return runs, err
}
