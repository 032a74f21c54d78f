// Package automata matches the patterns of package scenarios on the events of a run:
// the race automata of Hammer, Dolby, Vaziri and Tip (ICSE 2008, section 3), with
// scenario 12, read off the one table.
//
// Where the paper keeps a bit set for each tuple (u, u', l, l'), with summary tuples
// (u, *, l, *) and (u, u', l, *) as long as u' or l' have not been seen, this package
// keeps the same three: a mark for each unit and location, and for each pair of units
// that are alive at the same time, have both been seen at one object, and of which one has
// written something, a word for each location and for each two. A word is a set of prefixes
// of patterns, since a prefix can become unmatched again when a read is forgotten.
//
// A unit that has ended stays as long as it can still be part of a match: it makes no more
// events, so only prefixes matter from which events of the other unit alone lead to the
// end of a pattern. Those are the same for every such unit, but for the name that is
// reported: a pair whose prefixes other ended partners of the same unit have as well is
// dropped. So the number of tuples is bounded by the units that are alive, their
// locations, and the nodes of the automaton (and by the number of names, if these matter).
//
// What the package does not know is Go: units, locations and goroutines are numbers, and
// it is told when a read no longer matters.
package automata

import (
	"slices"

	"github.com/empire-go/empire-go/scenarios"
)

// Location is a field of an object, in a set: a place in memory.
type Location struct {
	Object uint32
	Set    uint16
	Field  uint16
}

// Access is one event of a unit of work.
type Access struct {
	Location Location
	Kind     Kind
	// Token, if not 0, is a number below 64 by which the read is forgotten: the same one
	// for all reads of the unit that are forgotten together.
	Token uint8
	// Forgets are the tokens of earlier reads of the unit that do not matter from this
	// access on, as bits.
	Forgets uint64
	// Index orders the events: ascending, from 1. Several units of one goroutine may have
	// the same event.
	Index uint64
	Ref   Ref
}

// Ref is what a match says about an event: the caller's.
type Ref struct {
	Site  uint32
	Stack any
}

// Engine matches the patterns on a stream of events. It is for one goroutine.
type Engine struct {
	table *table
	found func(*Match)
	// Apart tells whether two units access different parts of a location, so that their
	// accesses to it match nothing; nil means never. It does not change for two units.
	Apart func(u, v *Unit, l Location) bool

	// Wanted tells whether a match of u and u' is to be reported; nil means each is. Only
	// then are its events looked up.
	Wanted func(p *Pattern, u, v *Unit, l1, l2 Location) bool

	// Code, if it is not nil, numbers what units do: a pattern that is not wanted of two units at two fields is not
	// wanted of others of the same codes at these fields, either, then or later on.
	Code func(u *Unit) uint32

	// Name is what units are reported by; nil means that any of those that have ended is as good
	// as another one that has matched the same. Otherwise one with another name is not.
	Name func(u *Unit) uint32

	objects map[objectKey]*group
	units   []*Unit // to be used again
	pairs   []*pair
	count   int // tuples
	live    int // pairs
	stats   Stats
	refused refusals
}

// Stats counts what the engine has seen.
type Stats struct {
	Events    uint64 `json:"events"`    // accesses, once for each unit that they belong to
	Units     uint64 `json:"units"`     // units with an access
	Unpaired  uint64 `json:"unpaired"`  // pairs of units that were not looked at, because there were too many at once
	MaxTuples int    `json:"maxTuples"` // the most that there were at once, as |B| in the paper's Table 1
}

// objectKey is what units meet at: an object, in a set.
type objectKey struct {
	object uint32
	set    uint16
}

// group is the units that are alive and have accessed an object.
type group struct{ units []*Unit }

// New returns an engine that calls found at each event that completes a pattern, for each
// two units and choice of locations once for each pattern. A Match is the callee's to keep.
func New(list []scenarios.Scenario, found func(*Match)) (*Engine, error) {
	t, err := newTable(list)
	if err != nil {
		return nil, err
	}
	return &Engine{table: t, found: found, objects: map[objectKey]*group{}}, nil
}

// Stats returns what has been counted so far.
func (e *Engine) Stats() Stats { return e.stats }

// Begin returns a new unit of work of a goroutine. The data is the caller's.
func (e *Engine) Begin(goroutine uint32, data any) *Unit {
	var u *Unit
	if n := len(e.units); n > 0 {
		u, e.units = e.units[n-1], e.units[:n-1]
	} else {
		u = &Unit{}
	}
	u.Goroutine, u.Data, u.ended, u.epoch = goroutine, data, false, 1
	return u
}

// Access matches an event of a unit.
func (e *Engine) Access(u *Unit, a Access) {
	e.stats.Events++
	if u.tokens&a.Forgets != 0 {
		e.forget(u, a.Forgets, a.Index)
	}
	if a.Kind != Read && !u.writes {
		u.writes = true
		e.meetAll(u)
	}
	m := u.mark(a.Location)
	if m == nil {
		m = e.firstAccess(u, a.Location)
	}
	isNew := m.note(a)
	if m.stamp[a.Kind] == u.epoch && m.token[a.Kind] == a.Token {
		return // the unit has made the same event, and nothing that concerns it has changed since
	}
	e.extend(u, m, a, isNew)
}

// extend matches an event that may extend something.
func (e *Engine) extend(u *Unit, m *mark, a Access, changed bool) {
	if a.Kind != Increment && !m.plain {
		m.plain, changed = true, true
		for _, p := range u.pairs {
			p.epoch++ // what was a counter is none
			p.other(u).epoch++
		}
	}
	u.tokens |= 1 << a.Token &^ 1
	for _, p := range u.pairs {
		if p.access(e, u, a) {
			changed = true
			p.other(u).epoch++
		}
	}
	if changed {
		u.epoch++
		u.record(entry{a.Index, a.Location, a.Kind, a.Token, 0, a.Ref})
	}
	m.stamp[a.Kind], m.token[a.Kind] = u.epoch, a.Token
}

// firstAccess makes the mark of a unit at a location, and pairs it with the units that it
// meets there.
func (e *Engine) firstAccess(u *Unit, l Location) *mark {
	if len(u.marks) == 0 {
		e.stats.Units++
	}
	key := objectKey{l.Object, l.Set}
	if !slices.Contains(u.at, key) {
		g := e.objects[key]
		if g == nil {
			g = &group{}
			e.objects[key] = g
		}
		e.meetIn(u, g)
		g.units = append(g.units, u)
		u.at = append(u.at, key)
	}
	u.marks = append(u.marks, mark{location: l})
	e.addTuples(1)
	return &u.marks[len(u.marks)-1]
}

// meetAll pairs a unit with those that it has met while neither of the two had written
// anything: with reads alone nothing is matched but what the marks tell.
func (e *Engine) meetAll(u *Unit) {
	for _, key := range u.at {
		e.meetIn(u, e.objects[key])
	}
}

// meetIn pairs a unit with those at an object.
func (e *Engine) meetIn(u *Unit, g *group) {
	for _, v := range g.units {
		switch {
		case v.Goroutine == u.Goroutine || !u.writes && !v.writes || u.meets(v):
		case e.live == maxPairs:
			e.stats.Unpaired++
		default:
			e.pair(u, v)
		}
	}
}

// maxPairs bounds the memory for units that are alive at the same time: some thousand at
// one object.
const maxPairs = 1 << 20

// addTuples counts tuples.
func (e *Engine) addTuples(n int) {
	e.count += n
	e.stats.MaxTuples = max(e.stats.MaxTuples, e.count)
}

// forget drops what the unit has matched by reads that do not matter any more.
func (e *Engine) forget(u *Unit, tokens uint64, index uint64) {
	u.record(entry{index: index, forgets: tokens})
	u.tokens &^= tokens
	u.epoch++
	for i := range u.marks {
		u.marks[i].forget(tokens)
	}
	for _, p := range u.pairs {
		if p.forget(p.side(u), tokens) {
			p.other(u).epoch++
		}
	}
}

// Fork says that the unit, or a goroutine that was started in it, has started a goroutine.
func (e *Engine) Fork(u *Unit, child uint32) { u.children = append(u.children, child) }

// Join says that a goroutine that was started in the unit has come to its end before the
// next event of the unit: what it did is part of the work of the unit.
func (e *Engine) Join(u *Unit, child uint32) {
	u.children = slices.DeleteFunc(u.children, func(c uint32) bool { return c == child })
	for i := len(u.pairs) - 1; i >= 0; i-- {
		if p := u.pairs[i]; p.other(u).Goroutine == child {
			e.drop(p)
		}
	}
}

// End says that the unit makes no more events. The unit must not be used afterwards.
func (e *Engine) End(u *Unit) {
	u.ended = true
	for _, key := range u.at {
		g := e.objects[key]
		i := slices.Index(g.units, u)
		g.units[i] = g.units[len(g.units)-1]
		g.units = g.units[:len(g.units)-1]
		if len(g.units) == 0 {
			delete(e.objects, key)
		}
	}
	e.addTuples(-len(u.marks))
	for i := len(u.pairs) - 1; i >= 0; i-- {
		p := u.pairs[i]
		if p.other(u).ended || !p.settle(e, p.side(u)) || p.isCovered(e, u) {
			e.drop(p)
		}
	}
	e.recycle(u)
}
