package lower

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// resets returns the memory of locks, and of what is done once, that is assigned anew
// when others may be using it, as in x.mu = sync.Mutex{}: who holds the old lock excludes
// nobody then. Assignments to whole objects of the checked type are no such thing: that
// their locks stay the same is an assumption of the model.
func resets(c Config, unpublished *fresh.Analysis) map[pointsto.Cell]bool {
	objects := c.Stars.Watched()
	for _, n := range c.Kept.KeptOf(c.Graph) {
		for _, e := range c.Graph.Calls(n) {
			if _, isLock := knowledge.LockOperation(e.Callee.Func); isLock || knowledge.IsOnce(e.Callee.Func) {
				objects = append(objects, c.Graph.PointsTo(n, reduce.Receiver(e.Site.Common())).Objects()...)
			}
		}
	}
	all := map[pointsto.Cell]bool{}
	for _, n := range c.Graph.Holders(objects...) {
		if knowledge.IsSynchronisation(n.Func) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !query.HoldsSynchronisation(store.Val.Type()) || len(c.Stars.Subject.Within(store.Val.Type())) > 0 ||
					modref.IsFirstUse(store) || unpublished.Is(n, store.Addr, store) {
					continue
				}
				for _, cell := range c.Graph.PointsTo(n, store.Addr).Cells() {
					for _, inner := range c.Graph.Under(cell.Object, cell.Path) {
						all[inner] = true
					}
				}
			}
		}
	}
	return all
}

// withoutResets leaves locks that are assigned anew out of what is kept.
func withoutResets(kept *reduce.Reduction, resets map[pointsto.Cell]bool) *reduce.Reduction {
	without := *kept
	without.Locks = maps.Clone(kept.Locks)
	for cell := range resets {
		delete(without.Locks, cell)
	}
	return &without
}

// leaveOut leaves locks out of the model that are assigned anew.
func (l *lowerer) leaveOut() {
	for cell := range l.resets {
		l.setAmbiguous([]pointsto.Cell{cell})
	}
}

// isReset tells whether part of the synchronisation object may be assigned anew.
func (l *lowerer) isReset(cell pointsto.Cell) bool {
	return slices.ContainsFunc(l.Graph.Under(cell.Object, cell.Path), func(c pointsto.Cell) bool { return l.resets[c] })
}
