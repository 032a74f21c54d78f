package reduce

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// CondLocks returns the locks that a sync.Cond lets go of while it waits.
func CondLocks(graph *pointsto.Result, n *pointsto.Node, cond ssa.Value) []pointsto.Cell {
	var locks []pointsto.Cell
	for _, c := range cellsOf(graph, n, cond) {
		locks = append(locks, graph.Contents(pointsto.Cell{Object: c.Object, Path: pointsto.JoinPath(c.Path, "L")}).Cells()...)
	}
	return locks
}

// IsModelledCond tells whether the node is sync.Cond.Wait and every condition
// variable that it runs for has a lock of package sync: then a call stands for what
// it does.
func IsModelledCond(graph *pointsto.Result, wait *pointsto.Node) bool {
	if !knowledge.IsCondWait(wait.Func) {
		return false
	}
	for _, c := range CondLocks(graph, wait, wait.Func.Params[0]) {
		named, ok := types.Unalias(c.Type()).(*types.Named)
		if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
			return false
		}
	}
	return true
}

// semaphores returns the weighted semaphores that an operation may be on, each
// twice if one of them is not of size one or the operation not of weight one: then
// none is a lock.
func semaphores(graph *pointsto.Result, n *pointsto.Node, site ssa.CallInstruction) []pointsto.Cell {
	cells := cellsOf(graph, n, Receiver(site.Common()))
	asLock := knowledge.IsWeightOne(site.Common())
	for _, c := range cells {
		by := graph.MadeBy(c.Object)
		asLock = asLock && len(by) > 0 && knowledge.IsNewSemaphore(by[0].Common())
	}
	if !asLock {
		return append(cells, cells...)
	}
	return cells
}

// flights returns the singleflight groups that are only ever used by Do with one and
// the same constant key: of their functions one runs at a time.
func flights(graph *pointsto.Result) map[pointsto.Cell]bool {
	keys := map[pointsto.Cell]string{}
	single := map[pointsto.Cell]bool{}
	for _, e := range graph.CallsTo(knowledge.Flights) {
		op, _ := knowledge.FlightOperation(e.Callee.Func)
		args := Arguments(e.Site.Common())
		for _, c := range cellsOf(graph, e.Caller, args[0]) {
			key, isConst := args[1].(*ssa.Const)
			known, again := keys[c]
			single[c] = (single[c] || !again) && op == knowledge.Do && isConst && (!again || known == key.Value.ExactString())
			keys[c] = ""
			if isConst {
				keys[c] = key.Value.ExactString()
			}
		}
	}
	return single
}
