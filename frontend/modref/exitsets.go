package modref

import (
	"fmt"
	"math/bits"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// exitSets finds what passages lead to: one search for all of them, by strongly connected
// components (Tarjan), because most lie in one knot. Linear in the part of the call graph
// that it comes to, times the size of the sets. A vertex is a node that is not kept, in
// the goroutine of who calls the passage or in one started since.
type exitSets struct {
	l     *Facts
	index []int32    // by vertex: when it was found; 0 if it was not
	low   []int32    // by vertex: the first one on the stack that it leads to
	sets  []*exitSet // by vertex; nil until its component is complete
	stack []vertex
	found int32

	dense map[*pointsto.Node]int // numbers of kept nodes
	exits []*pointsto.Node       // by these numbers
	alike map[string]*pointsto.Node
	parts map[int]*exitSet // of the vertices on the stack: what they lead to themselves
}

type vertex struct {
	node    *pointsto.Node
	started bool // on another goroutine
}

func (v vertex) number() int {
	if v.started {
		return 2*v.node.ID + 1
	}
	return 2 * v.node.ID
}

// exitSet is what the vertices of a component lead to.
type exitSet struct {
	called, started bitSet
	swallows        bool
}

func (l *Facts) newExitSets() *exitSets {
	most := 0
	for _, n := range l.Graph.Nodes() {
		most = max(most, n.ID)
	}
	size := 2*most + 2
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
	v := vertex{node: n}
	if x.index[v.number()] == 0 {
		x.visit(v)
	}
	return x.sets[v.number()]
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

func (x *exitSets) visit(v vertex) {
	number := v.number()
	x.found++
	x.index[number], x.low[number] = x.found, x.found
	x.stack = append(x.stack, v)
	var own exitSet
	own.swallows = !v.started && x.l.swallowsPanics(v.node)
	later := x.l.Bodiless(v.node) && !knowledge.CallsAtOnce(v.node.Func)
	for _, e := range x.l.Graph.Calls(v.node) {
		to := vertex{e.Callee, v.started || e.IsStart()}
		switch {
		case x.l.Kept.Kept[e.Callee] && x.l.IsHandedNothing(v.node, e):
			continue
		case x.l.Kept.Kept[e.Callee]:
			if to.started || later {
				own.started.add(x.number(e.Callee))
			}
			if !to.started {
				own.called.add(x.number(e.Callee))
			}
			continue
		case !x.l.MayCallBack(e.Callee):
			continue
		case x.index[to.number()] == 0:
			x.visit(to)
		}
		if set := x.sets[to.number()]; set != nil {
			own.add(set)
		} else {
			x.low[number] = min(x.low[number], x.low[to.number()])
		}
	}
	x.complete(v, &own)
}

// complete ends the visit of a vertex, which leads to what own says and to what those
// above it on the stack do.
func (x *exitSets) complete(v vertex, own *exitSet) {
	number := v.number()
	x.parts[number] = own
	if x.low[number] != x.index[number] {
		return
	}
	set := &exitSet{}
	for {
		top := x.stack[len(x.stack)-1]
		x.stack = x.stack[:len(x.stack)-1]
		set.add(x.parts[top.number()])
		delete(x.parts, top.number())
		x.sets[top.number()] = set
		if top == v {
			return
		}
	}
}

// number returns the number of a kept node.
func (x *exitSets) number(n *pointsto.Node) int {
	i, known := x.dense[n]
	if !known {
		i = len(x.exits)
		x.dense[n] = i
		x.exits = append(x.exits, n)
	}
	return i
}

// edgeTo returns an edge by which passages lead to the kept node: a call, if there is one.
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
