package modref

import (
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// Resets returns the memory of locks, and of what is done once, that is assigned anew
// when others may be using it, as in x.mu = sync.Mutex{}: who holds the old lock excludes
// nobody then. Assignments to whole objects of the checked type are no such thing: that
// their locks stay the same is an assumption of the model.
func Resets(graph *pointsto.Result, stars *isolate.Isolation, kept *reduce.Reduction,
	unpublished *fresh.Analysis) map[pointsto.Cell]bool {
	objects := stars.Watched()
	for _, n := range kept.KeptOf(graph) {
		for _, e := range graph.Calls(n) {
			if _, isLock := knowledge.LockOperation(e.Callee.Func); isLock || knowledge.IsOnce(e.Callee.Func) {
				objects = append(objects, graph.PointsTo(n, reduce.Receiver(e.Site.Common())).Objects()...)
			}
		}
	}
	all := map[pointsto.Cell]bool{}
	for _, n := range graph.Holders(objects...) {
		if knowledge.IsSynchronisation(n.Func) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !query.HoldsSynchronisation(store.Val.Type()) || len(stars.Subject.Within(store.Val.Type())) > 0 ||
					IsFirstUse(store) || unpublished.Is(n, store.Addr, store) {
					continue
				}
				for _, cell := range graph.PointsTo(n, store.Addr).Cells() {
					for _, inner := range graph.Under(cell.Object, cell.Path) {
						all[inner] = true
					}
				}
			}
		}
	}
	return all
}

// WithoutResets leaves locks that are assigned anew out of what is kept.
func WithoutResets(kept *reduce.Reduction, resets map[pointsto.Cell]bool) *reduce.Reduction {
	without := *kept
	without.Locks = maps.Clone(kept.Locks)
	for cell := range resets {
		delete(without.Locks, cell)
	}
	return &without
}
