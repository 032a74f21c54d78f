package modref

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// MemoryRead returns the memory outside the set that a call may read, but for variables
// of the function that is called.
func (l *Facts) MemoryRead(n *pointsto.Node, call *ssa.Call) []pointsto.Cell {
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
			if ssaflow.IsMapOrSlice(v) && !ssaflow.IsSliceLength(call) {
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
						all = append(all, l.MemoryRead(callee, v)...)
					}
				}
			}
		}
	}
	return all
}

// Storing returns the nodes that may store to the memory, and what calls them.
func (l *Facts) Storing(memory []pointsto.Cell) map[*pointsto.Node]bool {
	var objects []*pointsto.Object
	var key strings.Builder
	for _, c := range memory {
		objects = append(objects, c.Object)
		fmt.Fprint(&key, c.Object.ID, " ", c.Path, "\n")
	}
	return ssaflow.Remember(l.storing, key.String(), func() map[*pointsto.Node]bool {
		return l.findStoring(objects, memory)
	})
}

// findStoring is Storing at the first time, with the objects of the memory.
func (l *Facts) findStoring(objects []*pointsto.Object, memory []pointsto.Cell) map[*pointsto.Node]bool {
	stores := map[*pointsto.Node]bool{}
	var direct []*pointsto.Node
	for _, n := range l.Graph.Holders(objects...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok && !stores[n] && l.MayStore(n, store, memory) {
					stores[n] = true
					direct = append(direct, n)
				}
			}
		}
	}
	Follow(direct, stores, func(n *pointsto.Node) (callers []*pointsto.Node) {
		for _, e := range l.Graph.Callers(n) {
			if !e.IsStart() {
				callers = append(callers, e.Caller)
			}
		}
		return callers
	})
	return stores
}

// MayStore tells whether the store may be to some of the memory.
func (l *Facts) MayStore(n *pointsto.Node, store *ssa.Store, memory []pointsto.Cell) bool {
	return slices.ContainsFunc(l.Graph.PointsTo(n, store.Addr).Cells(), func(to pointsto.Cell) bool {
		return slices.ContainsFunc(memory, func(c pointsto.Cell) bool {
			return c.Object == to.Object && pointsto.Overlaps(c.Path, to.Path)
		})
	})
}

// Overwritten returns the memory, in the objects, that a synchronisation object is
// stored to, as in wg = sync.WaitGroup{}: what was known of it before holds no longer.
// The value that a variable is declared with does not count.
func Overwritten(graph *pointsto.Result, objects []*pointsto.Object) []pointsto.Cell {
	var all []pointsto.Cell
	if len(objects) == 0 {
		return nil
	}
	for _, n := range graph.Holders(objects...) {
		if knowledge.IsSynchronisation(n.Func) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if ok && query.HoldsSynchronisation(store.Val.Type()) && !IsFirstUse(store) {
					all = append(all, graph.PointsTo(n, store.Addr).Cells()...)
				}
			}
		}
	}
	return all
}

// IsFirstUse tells whether the store is to a variable declared just before.
func IsFirstUse(store *ssa.Store) bool {
	made, ok := store.Addr.(*ssa.Alloc)
	if !ok || made.Block() != store.Block() {
		return false
	}
	declared := false
	for _, instr := range store.Block().Instrs {
		if instr == ssa.Instruction(store) {
			return true
		}
		declared = declared || instr == ssa.Instruction(made)
		for _, o := range instr.Operands(nil) {
			if declared && *o == ssa.Value(made) {
				return false
			}
		}
	}
	return false
}
