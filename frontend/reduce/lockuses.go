package reduce

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// lockUse is an operation on a lock.
type lockUse struct {
	node  *pointsto.Node
	site  ssa.CallInstruction
	op    knowledge.LockOp // if isMutex
	cells []pointsto.Cell  // the locks that it may be on

	isMutex bool // else it is an operation on a semaphore, or the wait of a sync.Cond
	isSpin  bool // the lock is a variable: see package spinlock
}

// lockUses returns the operations on locks of the whole program.
func (r *Reduction) lockUses(graph *pointsto.Result, stars *isolate.Isolation) []lockUse {
	var uses []lockUse
	alone := flights(graph)
	for _, e := range graph.CallsTo(
		knowledge.Locks | knowledge.Semaphores | knowledge.CondWaits | knowledge.Flights | knowledge.Atomics) {
		n := e.Caller
		if knowledge.IsOperation(n.Func) || IsModelledCond(graph, n) {
			continue // its body is what the operation means
		}
		receiver := Receiver(e.Site.Common())
		if op, ok := knowledge.LockOperation(e.Callee.Func); ok {
			uses = append(uses, lockUse{node: n, site: e.Site, op: op, isMutex: true,
				cells: graph.PointsTo(n, receiver).Cells()})
		} else if op, ok := stars.SpinOperation(e.Site); ok {
			uses = append(uses, lockUse{node: n, site: e.Site, op: op, isMutex: true, isSpin: true,
				cells: graph.PointsTo(n, receiver).Cells()})
		} else if _, ok := knowledge.SemaphoreOperation(e.Callee.Func); ok {
			uses = append(uses, lockUse{node: n, site: e.Site, cells: r.semaphores(graph, n, e.Site)})
		} else if knowledge.IsCondWait(e.Callee.Func) {
			uses = append(uses, lockUse{node: n, site: e.Site, cells: CondLocks(graph, n, receiver)})
		} else if op, ok := knowledge.FlightOperation(e.Callee.Func); ok && op == knowledge.Do {
			cells := graph.PointsTo(n, receiver).Cells()
			if !slices.ContainsFunc(cells, func(c pointsto.Cell) bool { return !alone[c] }) {
				uses = append(uses, lockUse{node: n, site: e.Site, cells: cells})
			}
		}
	}
	return uses
}

// findLocks decides which locks used in kept nodes can be modelled: those that are
// one lock at run time, on which every operation is known to be on that one.
func (r *Reduction) findLocks(graph *pointsto.Result, often *multiplicity.Analysis, stars *isolate.Isolation,
	uses []lockUse) {
	r.helping = r.unbalanced(graph, uses)
	for _, u := range uses {
		for _, c := range u.cells {
			if len(stars.StarsAt(c)) > 0 || !r.Kept[u.node] && !r.helping[u.node] {
				continue
			}
			if isSingleCell(often, graph, c) {
				r.Locks[c] = true
			}
		}
	}
	for _, u := range uses {
		if len(u.cells) > 1 {
			for _, c := range u.cells {
				delete(r.Locks, c)
			}
		}
	}
}

// isSingleCell tells whether the cell is one cell at run time: no element of an
// array, in an object that exists once.
func isSingleCell(often *multiplicity.Analysis, graph *pointsto.Result, c pointsto.Cell) bool {
	return !strings.Contains(c.Path, "[") && isolate.SingleObject(often, graph, c.Object)
}
