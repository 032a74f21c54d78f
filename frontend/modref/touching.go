package modref

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// AccessesStar tells whether the node itself accesses a field of star k.
func (l *Facts) AccessesStar(n *pointsto.Node, k int) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if slices.ContainsFunc(reduce.CellsAccessedBy(l.Graph, l.Stars, n, instr), func(c pointsto.Cell) bool {
				return slices.Contains(l.Stars.StarsAt(c), k) && len(l.Stars.LocationsAt(c)) > 0
			}) {
				return true
			}
		}
	}
	return false
}

// IsWrite tells whether the instruction changes the memory that its pointer is to.
func IsWrite(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.Store, *ssa.MapUpdate:
		return true
	}
	return ssaflow.IsBuiltin(instr, "append") || ssaflow.IsBuiltin(instr, "copy") || ssaflow.IsBuiltin(instr, "delete") ||
		ssaflow.IsBuiltin(instr, "clear")
}

// touching is facts about the call graph that the relevance of reads needs.
type touching struct {
	Nodes     map[*pointsto.Node]bool // that may access the atomic set in what they call
	Nested    map[*pointsto.Node]bool // that may run as a part of another function's unit of work
	Recursive map[*pointsto.Node]bool // that may run again while they run
	looks     map[*pointsto.Node]bool // that do nothing but look: see isLook
}

// Touching computes the facts when they are asked for first.
func (l *Facts) Touching() *touching {
	if l.knownTouching != nil {
		return l.knownTouching
	}
	t := &touching{map[*pointsto.Node]bool{}, map[*pointsto.Node]bool{}, map[*pointsto.Node]bool{},
		map[*pointsto.Node]bool{}}
	l.knownTouching = t
	var direct, units []*pointsto.Node
	for _, n := range l.Graph.Nodes() {
		if len(l.Kept.Direct[n]) > 0 {
			direct = append(direct, n)
		}
		if l.MayBeUnit(n) {
			units = append(units, n)
		}
	}
	Follow(direct, t.Nodes, func(n *pointsto.Node) (next []*pointsto.Node) {
		for _, e := range l.Graph.Callers(n) {
			if _, isGo := e.Site.(*ssa.Go); !isGo {
				next = append(next, e.Caller)
			}
		}
		return next
	})
	for _, n := range direct {
		t.Nodes[n] = true
	}
	Follow(units, t.Nested, l.keptCalledBy)
	t.Recursive = onCycles(t.Nodes, l.calledBy)
	return t
}

// onCycles returns the nodes that lie on a cycle of calls among the nodes (Kosaraju's
// algorithm). Linear in the size of the call graph.
func onCycles(nodes map[*pointsto.Node]bool, calledBy func(*pointsto.Node) []*pointsto.Node) map[*pointsto.Node]bool {
	callees, callers := map[*pointsto.Node][]*pointsto.Node{}, map[*pointsto.Node][]*pointsto.Node{}
	for n := range nodes {
		for _, m := range calledBy(n) {
			if nodes[m] {
				callees[n], callers[m] = append(callees[n], m), append(callers[m], n)
			}
		}
	}
	var order []*pointsto.Node // callees before callers, but for cycles
	seen := map[*pointsto.Node]bool{}
	for root := range nodes {
		if seen[root] {
			continue
		}
		seen[root] = true
		path, next := []*pointsto.Node{root}, []int{0}
		for len(path) > 0 {
			top := len(path) - 1
			n := path[top]
			if next[top] == len(callees[n]) {
				order = append(order, n)
				path, next = path[:top], next[:top]
				continue
			}
			m := callees[n][next[top]]
			next[top]++
			if !seen[m] {
				seen[m] = true
				path, next = append(path, m), append(next, 0)
			}
		}
	}
	cyclic, assigned := map[*pointsto.Node]bool{}, map[*pointsto.Node]bool{}
	for _, root := range slices.Backward(order) {
		if assigned[root] {
			continue
		}
		assigned[root] = true
		component := []*pointsto.Node{root}
		for k := 0; k < len(component); k++ {
			for _, m := range callers[component[k]] {
				if !assigned[m] {
					assigned[m] = true
					component = append(component, m)
				}
			}
		}
		for _, n := range component {
			cyclic[n] = len(component) > 1 || slices.Contains(callees[n], n)
		}
	}
	return cyclic
}

// TouchesSet tells whether executing the instruction may access the atomic set in
// this goroutine.
func (l *Facts) TouchesSet(n *pointsto.Node, instr ssa.Instruction) bool {
	if len(reduce.AccessedBy(l.Graph, l.Stars, n, instr)) > 0 {
		return true
	}
	switch v := instr.(type) {
	case *ssa.RunDefers, *ssa.Panic:
		for _, b := range n.Func.Blocks {
			for _, d := range b.Instrs {
				d, ok := d.(*ssa.Defer)
				if ok && (l.CallTouches(n, d) || len(reduce.AccessedBy(l.Graph, l.Stars, n, d)) > 0) { // as delete(t.m, k)
					return true
				}
			}
		}
	case *ssa.Call:
		return l.CallTouches(n, v)
	}
	return false
}

// CallTouches tells whether what a call runs in this goroutine may access the atomic set.
func (l *Facts) CallTouches(n *pointsto.Node, call ssa.CallInstruction) bool {
	return slices.ContainsFunc(l.Graph.Callees(n, call), func(callee *pointsto.Node) bool {
		return l.Touching().Nodes[callee]
	})
}

// MayWriteSet tells whether executing the instruction may do more to the atomic set, in this
// goroutine, than read it.
func (l *Facts) MayWriteSet(n *pointsto.Node, instr ssa.Instruction) bool {
	if l.writesSet(n, instr) {
		return true
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return l.TouchesSet(n, instr) && !IsRead(instr)
	}
	called := map[*pointsto.Node]bool{}
	for _, callee := range l.Graph.Callees(n, call) {
		called[callee] = l.Touching().Nodes[callee]
	}
	maps.DeleteFunc(called, func(_ *pointsto.Node, touches bool) bool { return !touches })
	Follow(slices.Collect(maps.Keys(called)), called, func(n *pointsto.Node) []*pointsto.Node {
		return slices.DeleteFunc(l.calledBy(n), func(m *pointsto.Node) bool { return !l.Touching().Nodes[m] })
	})
	for m := range called {
		for _, b := range m.Func.Blocks {
			if slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool { return l.writesSet(m, i) }) {
				return true
			}
		}
	}
	return false
}

// writesSet tells whether the instruction itself may write the atomic set.
func (l *Facts) writesSet(n *pointsto.Node, instr ssa.Instruction) bool {
	if call, ok := instr.(ssa.CallInstruction); ok && call.Common().StaticCallee() != nil {
		if effect, known := knowledge.Accesses(call.Common().StaticCallee()); known && !effect.Writes {
			return false
		}
	}
	switch instr.(type) {
	case *ssa.Range, *ssa.Next:
		return false
	}
	return !IsRead(instr) && len(reduce.AccessedBy(l.Graph, l.Stars, n, instr)) > 0
}

// IsIndivisible tells whether the call is of an operation of package sync/atomic.
func IsIndivisible(call *ssa.Call) bool {
	effect, ok := ssaflow.AtomicEffect(call)
	return ok && effect.Atomic
}
