package reduce

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// CondLocks returns the locks that a sync.Cond lets go of while it waits.
func CondLocks(graph *pointsto.Result, n *pointsto.Node, cond ssa.Value) []pointsto.Cell {
	var locks []pointsto.Cell
	for _, c := range cellsOf(graph, n, cond) {
		locks = append(locks, graph.Contents(pointsto.Cell{
			Object: c.Object, Path: pointsto.JoinPath(c.Path, "L")}).Cells()...)
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

// semaphores returns the weighted semaphores that an operation may be on, each twice if
// it is not evident what the operation does to one of them: then none is a lock.
func (r *Reduction) semaphores(graph *pointsto.Result, n *pointsto.Node, site ssa.CallInstruction) []pointsto.Cell {
	cells := cellsOf(graph, n, Receiver(site.Common()))
	weight, evident := knowledge.Weight(site.Common())
	for _, c := range cells {
		size, ok := semaphoreSize(graph, c)
		r.Semaphores[c] = size
		evident = evident && ok && 0 < weight && weight <= size
	}
	if evident && len(cells) == 1 {
		return cells
	}
	for _, c := range cells {
		r.vague[c] = true
	}
	return append(cells, cells...)
}

// semaphoreSize returns the size of a semaphore, if it is evident.
func semaphoreSize(graph *pointsto.Result, c pointsto.Cell) (size int64, ok bool) {
	by := graph.MadeBy(c.Object)
	if len(by) == 0 || c.Path != "" {
		return 0, false
	}
	return knowledge.SemaphoreSize(by[0].Common())
}

// flights returns the singleflight groups that are only ever used by Do with one and
// the same constant key: of their functions one runs at a time.
func flights(graph *pointsto.Result) map[pointsto.Cell]bool {
	keys := map[pointsto.Cell]string{}
	single := map[pointsto.Cell]bool{}
	for _, e := range graph.CallsTo(knowledge.Flights) {
		op, _ := knowledge.FlightOperation(e.Callee.Func)
		args := ssaflow.Arguments(e.Site.Common())
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
