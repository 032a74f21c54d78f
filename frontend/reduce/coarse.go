package reduce

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A field may lead to so much memory that hundreds of functions of libraries access it, as a
// compiled expression leads to all that a parser has made. To follow in each of them which pointer
// is to which object makes a model that is too large to be of use. Package lower can have one model
// of such a function for all its uses, in which it does what it can do in any order, and as often as
// it likes: each run of the function is one of these, so that this only adds runs. The user's own
// functions are followed as ever, and so is who makes stars, hands them on, or operates on what the
// model has of locks, channels and the like.

// The same goes for functions of the user's other packages that do nothing to the set, are handed nothing
// of it, and lead to such functions of libraries only: methods that are called for output, say.

// longTable is how many instructions an initializer of the user's has that is no longer followed: it fills
// tables, with thousands of accesses in a row.
const longTable = 4000

// findCoarse finds the kept functions that need not be followed. They stay among the kept ones.
func (r *Reduction) findCoarse(graph *pointsto.Result, stars *isolate.Isolation, memory *pointsto.Region) {
	p := &loose{Reduction: r, graph: graph, set: r.Coarse}
	isForeign := func(n *pointsto.Node) bool {
		isTable := n.Func.Synthetic == "package initializer" && graph.Instructions(n) > longTable
		return r.Direct[n] != nil && (isTable || !r.isOwn(n.Func)) && !r.handing[n] &&
			!stars.MakesHolder(n) && !constructsAny(stars, n)
	}
	followed := map[*pointsto.Node]bool{}
	var work []*pointsto.Node
	for _, n := range r.KeptOf(graph) {
		if (r.accessing[n] || r.operating[n]) && (r.operating[n] || !isForeign(n)) {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if followed[n] {
			continue
		}
		followed[n] = true
		for _, e := range graph.Callers(n) {
			work = append(work, e.Caller)
		}
	}
	p.find(func(n *pointsto.Node) bool {
		return !r.follow[n.Func] && (isForeign(n) || !followed[n] && !r.isNear(n, stars) && !isHanded(graph, n, memory))
	})
}

// isNear tells whether the function is the user's, and not of another package than the checked type.
func (r *Reduction) isNear(n *pointsto.Node, stars *isolate.Isolation) bool {
	checked := stars.Subject.Type
	return r.isOwn(n.Func) && (n.Func.Pkg == nil || checked == nil || n.Func.Pkg.Pkg == checked.Obj().Pkg() ||
		!n.Func.Pos().IsValid())
}

// isHanded tells whether the node may be handed a pointer into the memory.
func isHanded(graph *pointsto.Result, n *pointsto.Node, memory *pointsto.Region) bool {
	into := func(v ssa.Value) bool { return graph.MayPointInto(n, v, memory) }
	return slices.ContainsFunc(n.Func.Params, func(p *ssa.Parameter) bool { return into(p) }) ||
		slices.ContainsFunc(n.Func.FreeVars, func(v *ssa.FreeVar) bool { return into(v) })
}
