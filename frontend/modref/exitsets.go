package modref

import (
	"fmt"
	"math/bits"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// exitSets finds what passages lead to: one search for all of them, by strongly connected
// components (Tarjan), because most lie in one knot. Linear in the part of the call graph
// that it comes to, times the size of the sets. Its vertices are nodes that are not kept.
type exitSets struct {
	l     *Facts
	index []int32    // by node: when it was found; 0 if it was not
	low   []int32    // by node: the first one on the stack that it leads to
	sets  []*exitSet // by node; nil until its component is complete
	stack []*pointsto.Node
	found int32

	dense map[*pointsto.Node]int // numbers of the nodes in sets
	exits []*pointsto.Node       // by these numbers
	alike map[string]*pointsto.Node
	parts map[int]*exitSet // of the nodes on the stack: what they lead to themselves
}

// exitSet is what the nodes of a component lead to. What they start is kept nodes, or passages: a
// goroutine that begins in one does what that leads to.
type exitSet struct {
	called, started bitSet
	swallows        bool
}

func (l *Facts) newExitSets() *exitSets {
	most := 0
	for _, n := range l.Graph.Nodes() {
		most = max(most, n.ID)
	}
	size := most + 1
	return &exitSets{l: l, index: make([]int32, size), low: make([]int32, size), sets: make([]*exitSet, size),
		dense: map[*pointsto.Node]int{}, alike: map[string]*pointsto.Node{}, parts: map[int]*exitSet{}}
}

// of returns what the passage leads to.
func (x *exitSets) of(passage *pointsto.Node) (found callbacks) {
	set := x.set(passage)
	for i := range set.called.all {
		found.Called = append(found.Called, x.exits[i])
	}
	for i := range set.started.all {
		found.Started = append(found.Started, x.edgeTo(x.exits[i]))
	}
	found.Swallows = set.swallows
	return found
}

func (x *exitSets) set(n *pointsto.Node) *exitSet {
	if x.index[n.ID] == 0 {
		x.visit(n)
	}
	return x.sets[n.ID]
}

// Shared returns a passage that leads to the same as the passage, always the same one.
func (x *exitSets) Shared(passage *pointsto.Node) *pointsto.Node {
	set := x.set(passage)
	key := fmt.Sprint(set.called.trimmed(), set.started.trimmed(), set.swallows)
	if x.alike[key] == nil {
		x.alike[key] = passage
	}
	return x.alike[key]
}

func (x *exitSets) visit(n *pointsto.Node) {
	x.found++
	x.index[n.ID], x.low[n.ID] = x.found, x.found
	x.stack = append(x.stack, n)
	var own exitSet
	own.swallows = x.l.swallowsPanics(n)
	later := x.l.Bodiless(n) && !knowledge.CallsAtOnce(n.Func)
	for e := range x.l.Kept.Printing.Calls(n) {
		kept := x.l.Kept.Kept[e.Callee]
		if kept && x.l.IsHandedNothing(n, e) || !kept && !x.l.MayCallBack(e.Callee) {
			continue
		}
		if e.IsStart() || later {
			own.started.add(x.number(e.Callee))
		}
		switch {
		case e.IsStart():
			continue
		case kept:
			own.called.add(x.number(e.Callee))
			continue
		case x.index[e.Callee.ID] == 0:
			x.visit(e.Callee)
		}
		if set := x.sets[e.Callee.ID]; set != nil {
			own.add(set)
		} else {
			x.low[n.ID] = min(x.low[n.ID], x.low[e.Callee.ID])
		}
	}
	x.complete(n, &own)
}

// complete ends the visit of a node, which leads to what own says and to what those
// above it on the stack do.
func (x *exitSets) complete(n *pointsto.Node, own *exitSet) {
	x.parts[n.ID] = own
	if x.low[n.ID] != x.index[n.ID] {
		return
	}
	set := &exitSet{}
	for {
		top := x.stack[len(x.stack)-1]
		x.stack = x.stack[:len(x.stack)-1]
		set.add(x.parts[top.ID])
		delete(x.parts, top.ID)
		x.sets[top.ID] = set
		if top == n {
			return
		}
	}
}

// number returns the number of a node that is kept or begins a goroutine.
func (x *exitSets) number(n *pointsto.Node) int {
	i, known := x.dense[n]
	if !known {
		i = len(x.exits)
		x.dense[n] = i
		x.exits = append(x.exits, n)
	}
	return i
}

// edgeTo returns an edge by which passages lead to the node: a call, if there is one.
func (x *exitSets) edgeTo(n *pointsto.Node) (found pointsto.Edge) {
	for _, e := range x.l.Graph.Callers(n) {
		if !x.l.Kept.Kept[e.Caller] && (found.Callee == nil || found.IsStart() && !e.IsStart()) {
			found = e
		}
	}
	return found
}

func (s *exitSet) add(other *exitSet) {
	s.called.addAll(other.called)
	s.started.addAll(other.started)
	s.swallows = s.swallows || other.swallows
}

// bitSet is a set of small numbers.
type bitSet []uint64

func (b *bitSet) add(i int) {
	for len(*b) <= i/64 {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b *bitSet) addAll(other bitSet) {
	for len(*b) < len(other) {
		*b = append(*b, 0)
	}
	for i, w := range other {
		(*b)[i] |= w
	}
}

func (b bitSet) all(yield func(int) bool) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			if !yield(64*i + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// trimmed returns the set without zeros at its end.
func (b bitSet) trimmed() bitSet {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}
