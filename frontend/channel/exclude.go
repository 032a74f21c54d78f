package channel

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// reflected is the functions of package reflect that operate on a channel in a value.
var reflected = map[string]bool{
	"reflect.Select": true, "(reflect.Value).Close": true,
	"(reflect.Value).Send": true, "(reflect.Value).TrySend": true,
	"(reflect.Value).Recv": true, "(reflect.Value).TryRecv": true,
}

// excludeReflected excludes the channels that can be reached from values in
// interfaces if the program operates on channels by reflection.
func (f *finder) excludeReflected() {
	called := false
	for _, n := range f.graph.Nodes() {
		called = called || reflected[n.Func.String()]
	}
	if !called {
		return
	}
	for _, n := range f.graph.Nodes() {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				boxed, ok := instr.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				for _, o := range f.graph.Reachable(f.graph.PointsTo(n, boxed.X).Objects()...) {
					f.excluded[o] = true
				}
			}
		}
	}
}

// excludeRecovered excludes the channels on which an operation may panic and be
// recovered from: a send on a closed channel, or a second close. In the model it
// would be stuck there.
func (f *finder) excludeRecovered() {
	var guarded map[*pointsto.Node]bool
	for o, c := range f.channels {
		for _, u := range c.Uses {
			if !c.mayPanic(f, u) {
				continue
			}
			if guarded == nil {
				guarded = f.underRecover()
			}
			if guarded[u.Node] {
				f.excluded[o] = true
			}
		}
	}
}

// mayPanic tells whether the operation may find the channel closed and panic.
func (c *Channel) mayPanic(f *finder, u Use) bool {
	switch u.Op {
	case Send:
		return c.Has(Close)
	case Close:
		closes := 0
		for _, other := range c.Uses {
			if other.Op == Close {
				closes++
			}
		}
		return closes > 1 || !f.often.OnceAt(u.Node, u.Instr)
	}
	return false
}

// underRecover returns the nodes from which a panic may come to a function that
// recovers.
func (f *finder) underRecover() map[*pointsto.Node]bool {
	guarded := map[*pointsto.Node]bool{}
	var work []*pointsto.Node
	for _, n := range f.graph.Nodes() {
		if f.recovers(n) {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if guarded[n] {
			continue
		}
		guarded[n] = true
		for _, e := range f.graph.Calls(n) {
			if !e.IsStart() {
				work = append(work, e.Callee)
			}
		}
	}
	return guarded
}

// recovers tells whether a function that n defers calls recover.
func (f *finder) recovers(n *pointsto.Node) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			d, ok := instr.(*ssa.Defer)
			if !ok {
				continue
			}
			for _, callee := range f.graph.Callees(n, d) {
				if callsRecover(callee.Func) {
					return true
				}
			}
		}
	}
	return false
}

// callsRecover tells whether fn itself calls recover.
func callsRecover(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.Call); ok {
				if builtin, ok := c.Call.Value.(*ssa.Builtin); ok && builtin.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}
