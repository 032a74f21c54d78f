package reduce

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Context is a context that is done when it has been cancelled, or one that it was
// derived from, and never else: made by context.WithCancel, and at most once in a run.
type Context struct {
	Object    *pointsto.Object
	Ancestors []*pointsto.Object
}

// keepContexts selects the contexts that kept nodes ask about, and keeps every node that
// cancels one of them: like a channel, a context is modelled everywhere or nowhere.
func (r *Reduction) keepContexts(graph *pointsto.Result, often *multiplicity.Analysis) {
	asked := map[*pointsto.Object]bool{}
	for again := true; again; {
		again = false
		for _, n := range r.KeptOf(graph) {
			for _, o := range contextsAskedBy(graph, n) {
				if asked[o] {
					continue
				}
				asked[o] = true
				found, cancellers := findContext(graph, often, o, map[*pointsto.Object]bool{})
				if found != nil {
					r.Contexts[o], again = found, true
					r.keep(graph, cancellers)
					r.keep(graph, append(callersOf(graph, cancellers), n))
				}
			}
		}
	}
}

// callersOf returns the nodes that call one of the nodes.
func callersOf(graph *pointsto.Result, nodes []*pointsto.Node) (all []*pointsto.Node) {
	for _, n := range nodes {
		for _, e := range graph.Callers(n) {
			all = append(all, e.Caller)
		}
	}
	return all
}

// contextsAskedBy returns the contexts that the node asks whether they are done.
func contextsAskedBy(graph *pointsto.Result, n *pointsto.Node) (all []*pointsto.Object) {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && knowledge.AsksContext(call.Common()) {
				all = append(all, graph.PointsTo(n, call.Call.Value).Objects()...)
			}
		}
	}
	return all
}

// findContext returns the context that an object is, and the nodes that cancel it or
// what it is derived from; nil if it is not evident when it is done.
func findContext(graph *pointsto.Result, often *multiplicity.Analysis, o *pointsto.Object,
	seen map[*pointsto.Object]bool) (*Context, []*pointsto.Node) {
	made, ok := o.Site.(*ssa.Alloc)
	if !ok || seen[o] || !knowledge.MakesContext(made.Parent()) || !isolate.SingleObject(often, graph, o) {
		return nil, nil
	}
	seen[o] = true
	by := graph.MadeBy(o)
	if len(by) < 2 || by[1].Common().StaticCallee() == nil ||
		knowledge.Of(by[1].Common().StaticCallee()).Makes != knowledge.CancelContext {
		return nil, nil
	}
	found := &Context{Object: o}
	cancellers, ok := cancellersOf(graph, by[1].Common().StaticCallee(), o)
	if !ok {
		return nil, nil
	}
	parent := by[1].Common().Args[0]
	if knowledge.IsBackground(parent) {
		return found, cancellers
	}
	parents := 0
	for _, n := range graph.NodesOf(by[1].Parent()) {
		for _, p := range graph.PointsTo(n, parent).Objects() {
			above, more := findContext(graph, often, p, seen)
			if above == nil {
				return nil, nil
			}
			parents++
			found.Ancestors = append(append(found.Ancestors, p), above.Ancestors...)
			cancellers = append(cancellers, more...)
		}
	}
	if parents != 1 { // there may be others, such as context.Background()
		return nil, nil
	}
	return found, cancellers
}

// cancellersOf returns the nodes of the function that cancels the context, if all calls of
// it are ordinary calls of functions that can be lowered.
func cancellersOf(graph *pointsto.Result, withCancel *ssa.Function, o *pointsto.Object) (
	all []*pointsto.Node, ok bool) {
	for _, literal := range withCancel.AnonFuncs {
		for _, n := range graph.NodesOf(literal) {
			objects := CancelledBy(graph, n)
			if !slices.Contains(objects, o) {
				continue
			}
			if len(objects) != 1 {
				return nil, false
			}
			for _, e := range graph.Callers(n) {
				if e.IsStart() || e.Site.Parent() != e.Caller.Func || passes(e.Caller) || !graph.Analysed(e.Caller) ||
					knowledge.IsTold(e.Caller.Func) {
					return nil, false
				}
			}
			all = append(all, n)
		}
	}
	return all, true
}

// CancelledBy returns the contexts that a node of the function that context.WithCancel
// returns cancels.
func CancelledBy(graph *pointsto.Result, n *pointsto.Node) (all []*pointsto.Object) {
	for _, v := range n.Func.FreeVars {
		for _, c := range graph.PointsTo(n, v).Cells() {
			all = append(all, graph.Contents(c).Objects()...)
		}
	}
	return all
}
