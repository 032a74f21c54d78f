package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// findsTheSame tells whether two calls of one function find the same in the memory that
// they read, so far as it is no part of the set. As of loads in place, what others do to
// it is not looked at, but the unit itself must not change it between.
func (m *matcher) findsTheSame(a, b *ssa.Call) bool {
	memory := m.l.memoryRead(m.node, a)
	if len(memory) == 0 {
		return true
	}
	m.loose = m.loose || ssaflow.IsPointerLike(a.Type()) && !m.IsLook(a)
	return m.helper == nil && !m.isChanged(a, b, memory)
}

// memoryRead returns the memory outside the set that a call may read, but for variables
// of the function that is called.
func (l *lowerer) memoryRead(n *pointsto.Node, call *ssa.Call) []pointsto.Cell {
	var all []pointsto.Cell
	add := func(n *pointsto.Node, v ssa.Value) {
		for _, c := range l.Graph.PointsTo(n, v).Cells() {
			if len(l.Stars.LocationsAt(c)) == 0 {
				all = append(all, c)
			}
		}
	}
	if knowledge.IsPure(call.Common()) {
		for _, v := range call.Call.Args {
			if ssaflow.IsMapOrSlice(v) && !isSliceLength(call) {
				add(n, v)
			}
		}
		return all
	}
	for _, callee := range l.Graph.Callees(n, call) {
		for _, b := range callee.Func.Blocks {
			for _, instr := range b.Instrs {
				switch v := instr.(type) {
				case *ssa.UnOp:
					if _, isOwn := ssaflow.BaseOf(v.X).(*ssa.Alloc); v.Op == token.MUL && !isOwn {
						add(callee, v.X)
					}
				case *ssa.Lookup:
					if ssaflow.IsMapOrSlice(v.X) {
						add(callee, v.X)
					}
				case *ssa.Call:
					if ssaflow.IsPureCall(v.Common()) {
						all = append(all, l.memoryRead(callee, v)...)
					}
				}
			}
		}
	}
	return all
}
