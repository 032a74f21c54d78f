package isolate

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// isMoved tells whether the value is a struct that a constructor has made for the store,
// which nobody has at hand but in the place where it is stored, as in
//
//	shard{entries: *queue.New(size)}
//
// and everything that such structs hold was made for them.
func (i *Isolation) isMoved(n *pointsto.Node, load *ssa.UnOp, store *ssa.Store) bool {
	call, ok := load.X.(*ssa.Call)
	if !ok || load.Op != token.MUL || !isOnlyUsedBy(call, load) || !isOnlyUsedBy(load, store) ||
		ssaflow.RepeatsWithout(store.Block(), call.Block()) || !i.fresh.Returns(n, call, 0) {
		return false
	}
	known, ok := i.moved[load]
	if !ok {
		i.moved[load] = false // while it is being found out
		known = i.holdsOwn(i.graph.PointsTo(n, call).Objects())
		i.moved[load] = known
	}
	return known
}

// isOnlyUsedBy tells whether nothing but the instruction uses the value.
func isOnlyUsedBy(v ssa.Value, by ssa.Instruction) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(user ssa.Instruction) bool {
		_, isDebug := user.(*ssa.DebugRef)
		return user != by && !isDebug
	})
}

// holdsOwn tells whether everything that is stored in the objects was made for where it is
// stored.
func (i *Isolation) holdsOwn(objects []*pointsto.Object) bool {
	for _, o := range objects {
		if holdsAtomics(o.Type, map[types.Type]bool{}) {
			return false
		}
	}
	for _, n := range i.graph.Holders(objects...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !slices.ContainsFunc(i.graph.PointsTo(n, store.Addr).Objects(), func(o *pointsto.Object) bool {
					return slices.Contains(objects, o)
				}) {
					continue
				}
				if !i.isMadeFor(n, store.Val, store) {
					return false
				}
			}
		}
	}
	return len(objects) > 0
}
