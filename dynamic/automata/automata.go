// Package automata matches the patterns of package scenarios on the events of a run:
// the race automata of Hammer, Dolby, Vaziri and Tip (ICSE 2008, section 3), with
// scenario 12, read off the one table.
//
// Where the paper keeps a bit set for each tuple (u, u', l, l'), with summary tuples
// (u, *, l, *) and (u, u', l, *) as long as u' or l' have not been seen, this package
// keeps the same three: a mark for each unit and location, and for each pair of units
// of which one has come back to what the other one was in conflict with it about, a word
// for each location and for each two. A word is a set of prefixes
// of patterns, since a prefix can become unmatched again when a read is forgotten. See meet.go
// for when units are paired, and ended.go for those that need not be.
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

	// Code, if it is not nil, numbers what units do, and does not change for a unit: a pattern that is not wanted of two
	// units at two fields is not wanted of others of the same codes at these fields, either, then or later on.
	Code func(u *Unit) uint32

	// Name is what units are reported by; nil means that any of those that have ended is as good
	// as another one that has matched the same. Otherwise one with another name is not.
	Name func(u *Unit) uint32

	objects  map[objectKey]*group
	awaited  map[uint32]int // how many units wait for a goroutine
	now      uint64         // the index of the latest event
	serial   uint64         // of the latest unit
	searches uint64
	deeds    deeds
	units    []*Unit // to be used again
	places   []*place
	pairs    []*pair
	count    int // tuples
	live     int // pairs
	stats    Stats
	refused  refusals
	memo     memo
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

// New returns an engine that calls found at each event that completes a pattern, for each
// two units and choice of locations once for each pattern. A Match is the callee's to keep.
func New(list []scenarios.Scenario, found func(*Match)) (*Engine, error) {
	t, err := newTable(list)
	if err != nil {
		return nil, err
	}
	return &Engine{table: t, found: found, objects: map[objectKey]*group{}, awaited: map[uint32]int{}}, nil
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
	e.serial++
	u.Goroutine, u.Data, u.serial, u.ended, u.epoch = goroutine, data, e.serial, false, 1
	return u
}

// Access matches an event of a unit.
func (e *Engine) Access(u *Unit, a Access) {
	e.stats.Events++
	e.now = a.Index
	m := u.mark(a.Location)
	if m == nil {
		m = e.firstAccess(u, a)
	}
	if u.tokens&a.Forgets != 0 {
		e.forget(u, a.Forgets, a.Index)
	}
	e.meet(u, m, a)
	isNew := m.note(a)
	if a.Kind != Read {
		u.written |= a.Location.bit()
	}
	if m.stamp[a.Kind] == u.epoch && m.token[a.Kind] == a.Token {
		return // the unit has made the same event, and nothing that concerns it has changed since
	}
	e.extend(u, m, a, isNew)
}

// extend matches an event that may extend something.
func (e *Engine) extend(u *Unit, m *mark, a Access, isNew bool) {
	changed := isNew
	if a.Kind != Increment && !m.plain {
		m.plain, changed = true, true
		u.isNews(a.Index)
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
	if isNew {
		u.isNews(a.Index)
	}
	isAct := m.act[a.Kind] != u.news || m.token[a.Kind] != a.Token
	m.act[a.Kind] = u.news
	if changed || isAct {
		e.record(u, entry{a.Index, a.Location, a.Kind, a.Token, isAct, 0, a.Ref})
	}
	if changed {
		u.epoch++
	}
	m.stamp[a.Kind], m.token[a.Kind] = u.epoch, a.Token
}

// firstAccess makes the mark of a unit at a location.
func (e *Engine) firstAccess(u *Unit, a Access) *mark {
	if len(u.marks) == 0 {
		e.stats.Units++
		u.begun = a.Index
	}
	key := objectKey{a.Location.Object, a.Location.Set}
	u.marks = append(u.marks, mark{location: a.Location, place: e.placeOf(u, key)})
	u.accessed |= a.Location.bit()
	e.addTuples(1)
	return &u.marks[len(u.marks)-1]
}

// maxPairs bounds the memory for units that are alive at the same time: some thousand at
// one object.
const maxPairs = 1 << 20

// addTuples counts tuples.
func (e *Engine) addTuples(n int) {
	e.count += n
	e.stats.MaxTuples = max(e.stats.MaxTuples, e.count)
}

// isNews says that the event at an index is not like an earlier one.
func (u *Unit) isNews(index uint64) {
	u.news++
	u.newAt = index
}

// forget drops what the unit has matched by reads that do not matter any more.
func (e *Engine) forget(u *Unit, tokens uint64, index uint64) {
	e.record(u, entry{index: index, act: true, forgets: tokens})
	u.tokens &^= tokens
	u.epoch++
	u.isNews(index)
	for i := range u.marks {
		u.marks[i].forget(tokens)
	}
	for _, p := range u.pairs {
		if p.forget(e, p.side(u), tokens) {
			p.other(u).epoch++
		}
	}
}

// Fork says that the unit, or a goroutine that was started in it, has started a goroutine.
func (e *Engine) Fork(u *Unit, child uint32) {
	u.children = append(u.children, child)
	e.awaited[child]++
}

// Join says that a goroutine that was started in the unit has come to its end before the
// next event of the unit: what it did is part of the work of the unit.
func (e *Engine) Join(u *Unit, child uint32) {
	u.children = slices.DeleteFunc(u.children, func(c uint32) bool {
		if c == child {
			e.awaitsNoMore(c)
		}
		return c == child
	})
	u.joined = append(u.joined, joined{child, e.now})
	for i := len(u.pairs) - 1; i >= 0; i-- {
		if p := u.pairs[i]; p.other(u).Goroutine == child {
			e.drop(p)
		}
	}
}

// awaitsNoMore says that one unit less waits for a goroutine.
func (e *Engine) awaitsNoMore(child uint32) {
	if e.awaited[child]--; e.awaited[child] == 0 {
		delete(e.awaited, child)
	}
}

// End says that the unit makes no more events. The unit must not be used afterwards.
func (e *Engine) End(u *Unit) {
	u.ended = true
	e.leave(u)
	for _, c := range u.children {
		e.awaitsNoMore(c)
	}
	e.addTuples(-len(u.marks))
	for i := len(u.pairs) - 1; i >= 0; i-- {
		if p := u.pairs[i]; p.other(u).ended || !e.isUseful(p, u) {
			e.drop(p)
		}
	}
	e.recycle(u)
}

// isUseful tells whether a pair of which a unit has ended, the first of the two, may still be part of a match for
// which there is no other pair.
func (e *Engine) isUseful(p *pair, ended *Unit) bool {
	return p.settle(e, p.side(ended)) && !p.isCovered(e, ended)
}
