package lower

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// touching is facts about the call graph that the relevance of reads needs.
type touching struct {
	nodes     map[*pointsto.Node]bool // that may access the atomic set in what they call
	nested    map[*pointsto.Node]bool // that may run as a part of another function's unit of work
	recursive map[*pointsto.Node]bool // that may run again while they run
	looks     map[*pointsto.Node]bool // that do nothing but look: see isLook
}

// touching computes the facts when they are asked for first.
func (l *lowerer) touching() *touching {
	if l.relevant.touching != nil {
		return l.relevant.touching
	}
	t := &touching{map[*pointsto.Node]bool{}, map[*pointsto.Node]bool{}, map[*pointsto.Node]bool{}, map[*pointsto.Node]bool{}}
	l.relevant.touching = t
	var direct, units []*pointsto.Node
	for _, n := range l.Graph.Nodes() {
		if len(l.Kept.Direct[n]) > 0 {
			direct = append(direct, n)
		}
		if l.mayBeUnit(n) {
			units = append(units, n)
		}
	}
	follow(direct, t.nodes, func(n *pointsto.Node) (next []*pointsto.Node) {
		for _, e := range l.Graph.Callers(n) {
			if _, isGo := e.Site.(*ssa.Go); !isGo {
				next = append(next, e.Caller)
			}
		}
		return next
	})
	for _, n := range direct {
		t.nodes[n] = true
	}
	follow(units, t.nested, l.keptCalledBy)
	t.recursive = onCycles(t.nodes, l.calledBy)
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

// keptCalledBy is calledBy without what neither is kept nor runs anything that is.
func (l *lowerer) keptCalledBy(n *pointsto.Node) []*pointsto.Node {
	return slices.DeleteFunc(l.calledBy(n), func(m *pointsto.Node) bool { return !l.Kept.Kept[m] && !l.facts.mayCallBack(m) })
}

// calledBy returns what a node calls in its own goroutine.
func (l *lowerer) calledBy(n *pointsto.Node) (callees []*pointsto.Node) {
	for _, e := range l.Graph.Calls(n) {
		if _, isGo := e.Site.(*ssa.Go); !isGo {
			callees = append(callees, e.Callee)
		}
	}
	return callees
}

// follow adds what can be reached from the nodes in one step or more.
func follow(from []*pointsto.Node, reached map[*pointsto.Node]bool, next func(*pointsto.Node) []*pointsto.Node) {
	work := from
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[: len(work)-1 : len(work)-1]
		for _, m := range next(n) {
			if !reached[m] {
				reached[m] = true
				work = append(work, m)
			}
		}
	}
}

// mayBeUnit tells whether an activation of n may be a unit of work.
func (l *lowerer) mayBeUnit(n *pointsto.Node) bool {
	recv := n.Func.Signature.Recv()
	if recv != nil && l.Stars.Subject.IsSelfOrPointer(recv.Type()) || len(l.Kept.Direct[n]) > 0 || unitDirective(n.Func) == "unit" {
		return true
	}
	for k := range l.Stars.Stars {
		if l.Stars.Constructs(n, k) {
			return true
		}
	}
	return slices.ContainsFunc(l.Units.Named, func(name string) bool { return IsNamed(n.Func, name) })
}

// isCall tells whether the instruction is a call.
func (l *lowerer) isCall(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.Call)
	return ok
}

// isLookCall tells whether the instruction calls one function, which does nothing
// but look at the atomic set and compute its result from that and its arguments.
func (l *lowerer) isLookCall(n *pointsto.Node, instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || call.Call.IsInvoke() {
		return false
	}
	callees := l.Graph.Callees(n, call)
	return len(callees) == 1 && l.Kept.Kept[callees[0]] && l.isLook(callees[0])
}

// isLook tells whether a function only reads, computes, takes and releases locks,
// and calls functions that do no more.
func (l *lowerer) isLook(n *pointsto.Node) bool {
	t := l.touching()
	if known, ok := t.looks[n]; ok {
		return known
	}
	t.looks[n] = false // of a function that calls itself
	if !t.nodes[n] || t.recursive[n] || len(n.Func.Blocks) == 0 || n.Func.Signature.Results().Len() == 0 {
		return false
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if !l.onlyLooks(n, instr) {
				return false
			}
		}
	}
	t.looks[n] = true
	return true
}

func (l *lowerer) onlyLooks(n *pointsto.Node, instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Jump, *ssa.If, *ssa.Return, *ssa.DebugRef, *ssa.RunDefers:
		return true
	case *ssa.UnOp:
		return v.Op != token.ARROW // which takes what another look does not find again
	case *ssa.Alloc:
		return ssaflow.IsOwnVariable(v)
	case *ssa.Store:
		return ssaflow.OwnVariableOf(v.Addr) != nil
	case ssa.CallInstruction:
		if _, isGo := v.(*ssa.Go); isGo {
			return false
		}
		if callee := v.Common().StaticCallee(); callee != nil {
			if _, ok := knowledge.LockOperation(callee); ok {
				return true
			}
		}
		return ssaflow.Computes(v) || l.isLookCall(n, v)
	}
	return ssaflow.Computes(instr)
}

// inlineLooks puts the bodies of functions that are called for a look in the place of
// the calls: the activation that forgets what was read there has to have read it.
func (l *lowerer) inlineLooks() {
	l.inlined = map[esl.Pos]string{}
	done := map[*clone]bool{}
	for _, c := range l.order {
		l.inlineLooksIn(c, done)
	}
}

func (l *lowerer) inlineLooksIn(c *clone, done map[*clone]bool) {
	if done[c] {
		return
	}
	done[c] = true
	for i := 0; i < len(c.segments); i++ {
		seg := c.segments[i]
		at := slices.IndexFunc(seg.stmts, func(st esl.Stmt) bool { return st.Op == esl.Call && l.order[st.Arg].look != "" })
		if at < 0 {
			continue
		}
		callee := l.order[seg.stmts[at].Arg]
		l.inlineLooksIn(callee, done)
		rest := *seg
		rest.stmts = seg.stmts[at+1:]
		c.segments = append(c.segments, &rest)
		behind, entry := len(c.segments)-1, len(c.segments)
		for _, inner := range callee.segments {
			copied := &segment{stmts: slices.Clone(inner.stmts), end: inner.end}
			for _, st := range inner.stmts {
				if st.Pos.File != "" && l.inlined[st.Pos] == "" { // in no function that is inlined in turn
					l.inlined[st.Pos] = callee.goName
				}
			}
			for _, next := range inner.next {
				copied.next = append(copied.next, entry+next)
			}
			if inner.end == endReturn {
				copied.end, copied.next = endJump, []int{behind}
			}
			c.segments = append(c.segments, copied)
		}
		seg.stmts, seg.end, seg.next = seg.stmts[:at:at], endJump, []int{entry}
	}
}

// isAssignedOnce tells whether the variable at an address is never assigned again
// once it can be read: a captured variable or a package variable with one store.
func (l *lowerer) isAssignedOnce(address ssa.Value) bool {
	switch v := address.(type) {
	case *ssa.Alloc:
		return l.function(v.Parent()).onceCells[v]
	case *ssa.FreeVar:
		return l.isAssignedOnce(boundTo(v))
	case *ssa.Global:
		return l.storesTo(v) <= 1
	}
	return false
}

// boundTo returns what a captured variable is in the function around its closure;
// nil if the closure is made in several places.
func boundTo(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	var bound ssa.Value
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			made, ok := instr.(*ssa.MakeClosure)
			if !ok || made.Fn != ssa.Value(fn) {
				continue
			}
			if bound != nil {
				return nil
			}
			bound = made.Bindings[slices.Index(fn.FreeVars, v)]
		}
	}
	return bound
}

// storesTo counts the uses of a package variable, other than loads, in reachable
// functions.
func (l *lowerer) storesTo(global *ssa.Global) int {
	count := 0
	for _, use := range l.facts.usesOf(global) {
		if load, ok := use.instr.(*ssa.UnOp); !ok || load.Op != token.MUL {
			count++
		}
	}
	return count
}
