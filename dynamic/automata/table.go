package automata

import (
	"fmt"
	"math/bits"

	"github.com/empire-go/empire-go/scenarios"
)

// Kind is the kind of an access.
type Kind uint8

// The kinds. An indivisible read-modify-write matches as a read or as a write. An
// Increment is one whose result is dropped: where two units do nothing else to a
// location, it matches nothing.
const (
	Read Kind = iota
	Write
	RMW
	Increment
	kinds
)

// role is a unit's part in a pattern: its first event is by first.
type role uint8

const (
	first role = iota
	second
)

// table is all patterns as one automaton over prefixes: node n is a prefix of some
// pattern, bit n of a state says that the prefix has been matched. Patterns are renamed
// so that the first event is by the first unit on the first location: then the patterns
// of scenario 12 that differ in names only become one, and all fit in a word.
type table struct {
	nodes []node
	start [kinds]state                 // prefixes of one event, which the first unit makes on the first location
	from  [2][2][kinds]state           // by role, location and kind: prefixes that an event extends
	next  [2][2][kinds][wordSize]state // what it extends them to
	// by role: proper prefixes from which events of that role alone lead to the end of a pattern
	useful  [2]state
	ends    state // whole patterns
	middles middles
	match   [wordSize]Pattern              // which, by node
	seen    map[scenarios.Event][]nodeEdge // only while building
}

// state is a set of nodes.
type state = uint64

const wordSize = 64

type node struct {
	parent int // -1: the empty prefix
	event  scenarios.Event
}

type nodeEdge struct{ parent, child int }

// Pattern is a pattern of the table of scenarios, and how the unit that makes its first
// event and the location of that event are called in it.
type Pattern struct {
	Scenario scenarios.Scenario
	scenarios.Pattern
	swapUnits, swapLocations bool
}

// newTable builds the automaton of the patterns of the scenarios.
func newTable(list []scenarios.Scenario) (*table, error) {
	t := &table{seen: map[scenarios.Event][]nodeEdge{}}
	for _, s := range list {
		for _, p := range s.Patterns {
			if err := t.add(s, p); err != nil {
				return nil, err
			}
		}
	}
	t.seen = nil
	for n := range t.nodes {
		t.findUseful(n)
	}
	t.findMiddles()
	return t, nil
}

// add adds a pattern, unless one that differs in names only is there.
func (t *table) add(s scenarios.Scenario, p scenarios.Pattern) error {
	swapUnits, swapLocations := p.Events[0].Unit == scenarios.V, p.Events[0].Loc == 2
	at := -1
	for _, e := range p.Events {
		if swapUnits {
			e.Unit = scenarios.V - e.Unit
		}
		if swapLocations {
			e.Loc = 3 - e.Loc
		}
		var err error
		if at, err = t.child(at, e); err != nil {
			return err
		}
	}
	if t.ends&(1<<at) == 0 {
		t.ends |= 1 << at
		t.match[at] = Pattern{s, p, swapUnits, swapLocations}
	}
	return nil
}

// child returns the node of a prefix with one more event.
func (t *table) child(parent int, e scenarios.Event) (int, error) {
	for _, edge := range t.seen[e] {
		if edge.parent == parent {
			return edge.child, nil
		}
	}
	n := len(t.nodes)
	if n == wordSize {
		return 0, fmt.Errorf("the patterns have more than %d different beginnings; ask for fewer scenarios at once", wordSize)
	}
	t.nodes = append(t.nodes, node{parent, e})
	t.seen[e] = append(t.seen[e], nodeEdge{parent, n})
	for _, k := range []Kind{Kind(e.Kind), RMW, Increment} {
		if parent < 0 {
			t.start[k] |= 1 << n
			continue
		}
		t.from[e.Unit][e.Loc-1][k] |= 1 << parent
		t.next[e.Unit][e.Loc-1][k][parent] |= 1 << n
	}
	return n, nil
}

// findUseful marks the prefixes on the way to a whole pattern, as far back as the events
// are all of one unit.
func (t *table) findUseful(n int) {
	if t.ends&(1<<n) == 0 {
		return
	}
	by := t.nodes[n].event.Unit
	for at := n; at >= 0 && t.nodes[at].event.Unit == by; at = t.nodes[at].parent {
		if parent := t.nodes[at].parent; parent >= 0 {
			t.useful[by] |= 1 << parent
		}
	}
}

// always is a prefix that no word of two locations has: what leads somewhere is never nothing with it.
const always = state(1)

// leadsTo returns the prefixes of some patterns, with these, and always.
func (t *table) leadsTo(ends state) state {
	leads := always
	for ; ends != 0; ends &= ends - 1 {
		for at := bits.TrailingZeros64(ends); at >= 0; at = t.nodes[at].parent {
			leads |= 1 << at
		}
	}
	return leads
}

// step returns what an event extends the prefixes of a state to.
func (t *table) step(s state, by role, location int, kind Kind) state {
	extended := state(0)
	next := &t.next[by][location][kind]
	for s &= t.from[by][location][kind]; s != 0; s &= s - 1 {
		extended |= next[bits.TrailingZeros64(s)]
	}
	return extended
}
