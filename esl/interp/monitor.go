package interp

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// match is a partial match: the events that have matched so far, and by whom. It
// is what Explore guesses: at each access that can extend a match, it follows both
// the extended and the old one. Keys and units are numbered, so that matches can
// be compared.
type match struct {
	prefix       int     // the events that have matched: a node of the tree of patterns
	u, v         int     // the threads; -1 until an event of the unit has matched
	uUnit, vUnit int     // their units, by number
	uOver, vOver bool    // the activation has ended
	joined       [2]bool // of u and u': the thread that started its thread has joined it since an event of it matched
	l1, l2       int     // the locations; -1 until an event on it has matched
	keys         [4]key  // for each event, the key of the read that matched it, as long as it can be forgotten
}

// key identifies a read for Forget: by the number of its key, 0 if it has none, and
// how many activations were on the stack, the last of which made it.
type key struct{ number, activations int }

// unmatched is the match of no event.
var unmatched = match{u: -1, v: -1, l1: -1, l2: -1}

// monitor holds what the matching of one program needs.
type monitor struct {
	tree     []prefix
	accesses *esl.UnitAccesses
	units    []esl.UnitName
	keys     []string
}

// prefix is a node of the tree of all patterns.
type prefix struct {
	events   []scenarios.Event
	next     []int      // the nodes with one event more
	complete []int      // the patterns that end here, indices into table
	without  [2][2]bool // without[x][y]: a pattern below needs no more events of u if x is 1, and of u' if y is 1
}

// numbered is a pattern with the number of its scenario.
type numbered struct {
	scenario int
	pattern  scenarios.Pattern
}

// table returns all patterns, in the order of scenarios.Table.
func table() []numbered {
	var all []numbered
	for _, s := range scenarios.Table {
		for _, p := range s.Patterns {
			all = append(all, numbered{s.Number, p})
		}
	}
	return all
}

func newMonitor(p *esl.Program, patterns []numbered) *monitor {
	m := &monitor{tree: []prefix{{}}, accesses: esl.AccessesOf(p), keys: []string{""}}
	for i, n := range patterns {
		at := 0
		m.allow(at, n.pattern.Events)
		for k := range n.pattern.Events {
			at = m.child(at, n.pattern.Events[:k+1])
			m.allow(at, n.pattern.Events[k+1:])
		}
		m.tree[at].complete = append(m.tree[at].complete, i)
	}
	return m
}

// child returns the node of events below node at.
func (m *monitor) child(at int, events []scenarios.Event) int {
	for _, c := range m.tree[at].next {
		if slices.Equal(m.tree[c].events, events) {
			return c
		}
	}
	m.tree = append(m.tree, prefix{events: events})
	m.tree[at].next = append(m.tree[at].next, len(m.tree)-1)
	return len(m.tree) - 1
}

// allow records that a pattern goes on from node at with the events rest.
func (m *monitor) allow(at int, rest []scenarios.Event) {
	needs := [2]bool{}
	for _, e := range rest {
		needs[e.Unit] = true
	}
	for x := range 2 {
		for y := range 2 {
			if (x == 0 || !needs[scenarios.U]) && (y == 0 || !needs[scenarios.V]) {
				m.tree[at].without[x][y] = true
			}
		}
	}
}

// alive tells whether the match can still become, or is, an occurrence.
func (m *monitor) alive(a match, s *State) bool {
	x, y := 0, 0
	if a.uOver || a.u >= 0 && a.absorbed(s, scenarios.V, place{a.u, 0}) {
		x = 1
	}
	if a.vOver || a.v >= 0 && a.absorbed(s, scenarios.U, place{a.v, m.units[a.vUnit].Object}) {
		y = 1
	}
	return m.tree[a.prefix].without[x][y]
}

// absorbed tells whether the unit that is open at a place can match no more
// events, since the thread of the other unit, the child, was started within it and
// has been joined: the fork-join exception.
func (a match) absorbed(s *State, child scenarios.Unit, at place) bool {
	if !a.joined[child] {
		return false
	}
	t := s.Threads[[2]int{a.u, a.v}[child]]
	return t.Parent == at.thread+1 && slices.Contains(t.Within, at.object)
}

// event is one way to see an access of a thread: as one of its open unit on an
// object.
type event struct {
	thread   int
	unit     int // by number
	object   int
	location int
	kind     esl.AccessKind
	key      int // by number

	activations int // on the thread's stack
}

// extensions returns the matches that the event, a step from state s, extends the
// match to.
func (m *monitor) extensions(a match, e event, s *State) []match {
	var all []match
	for _, c := range m.tree[a.prefix].next {
		k := len(m.tree[a.prefix].events)
		want := m.tree[c].events[k]
		b, ok := a.bind(want, e, s)
		if !ok {
			continue
		}
		b.prefix = c
		if want.Kind == scenarios.Read && e.key != 0 {
			b.keys[k] = key{e.key, e.activations}
		}
		if m.alive(b, s) {
			all = append(all, b)
		}
	}
	return all
}

// bind matches the event e with the wanted one; ok tells whether it can be.
func (a match) bind(want scenarios.Event, e event, s *State) (b match, ok bool) {
	if !kindMatches(want.Kind, e.kind) || want.Unit == scenarios.U && e.object != 0 {
		return a, false
	}
	thread, unit, other, over := &a.u, &a.uUnit, a.v, a.uOver
	if want.Unit == scenarios.V {
		thread, unit, other, over = &a.v, &a.vUnit, a.u, a.vOver
	}
	if a.absorbed(s, 1-want.Unit, place{e.thread, e.object}) {
		return a, false
	}
	if over || e.thread == other || *thread >= 0 && (*thread != e.thread || *unit != e.unit) {
		return a, false
	}
	*thread, *unit = e.thread, e.unit
	location, different := &a.l1, a.l2
	if want.Loc == 2 {
		location, different = &a.l2, a.l1
	}
	if e.location == different || *location >= 0 && *location != e.location {
		return a, false
	}
	*location = e.location
	return a, true
}

// ended returns the match after the outermost unit at a place has ended.
func (m *monitor) ended(a match, at place) match {
	if at.thread == a.u && at.object == 0 {
		a.uOver = true
		m.settleKeys(&a, scenarios.U)
	}
	if at.thread == a.v && at.object == m.units[a.vUnit].Object {
		a.vOver = true
		m.settleKeys(&a, scenarios.V)
	}
	return a
}

// settleKeys keeps the reads of a unit from being forgotten from now on.
func (m *monitor) settleKeys(a *match, unit scenarios.Unit) {
	for k, e := range m.tree[a.prefix].events {
		if e.Unit == unit {
			a.keys[k] = key{}
		}
	}
}

// by returns the thread that has matched the kth event.
func (m *monitor) by(a match, k int) int {
	return [...]int{a.u, a.v}[m.tree[a.prefix].events[k].Unit]
}

// forgets tells whether the match is dropped when an activation of a thread forgets
// a key.
func (m *monitor) forgets(a match, thread int, forgotten key) bool {
	for k := range m.tree[a.prefix].events {
		if m.by(a, k) == thread && a.keys[k] == forgotten {
			return true
		}
	}
	return false
}

// returned returns the match after a thread has returned: the reads of activations
// that are over cannot be forgotten any more.
func (m *monitor) returned(a match, to low) match {
	for k := range m.tree[a.prefix].events {
		if m.by(a, k) == to.thread && a.keys[k].activations > to.activations {
			a.keys[k] = key{}
		}
	}
	return a
}

// join returns the match after a thread has joined a process. That matters if one
// of the two threads that have matched is of that process, this thread has started
// it within a unit that is still open, and can be the other one.
func (a match) join(s *State, thread, process int) match {
	for child, t := range [2]int{a.u, a.v} {
		other := [2]int{a.v, a.u}[child]
		if t >= 0 && (other < 0 || other == thread) && s.Threads[t].Process == process && s.Threads[t].Parent == thread+1 {
			a.joined[child] = true
		}
	}
	return a
}

// commutes tells whether the units of a complete match do nothing but increments
// on one of its locations.
func (m *monitor) commutes(a match) bool {
	for _, l := range []int{a.l1, a.l2} {
		if l >= 0 && m.accesses.Commute(m.units[a.uUnit], m.units[a.vUnit], l) {
			return true
		}
	}
	return false
}

// numberOf returns the index of x in all, after adding it if it is not there.
func numberOf[T comparable](all *[]T, x T) int {
	i := slices.Index(*all, x)
	if i < 0 {
		i = len(*all)
		*all = append(*all, x)
	}
	return i
}
