package pointsto

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// MadeBy returns the calls, innermost first, that make the object, as far as it is known:
// those in its context; and, as a function that is called in one place has no need of
// contexts, those of functions that would have one for each call. At most maxContext.
func (r *Result) MadeBy(o *Object) []ssa.CallInstruction {
	if o.Site == nil {
		return nil
	}
	var calls []ssa.CallInstruction
	f := o.Site.Parent()
	for c := o.Context; c != nil; c = c.Parent {
		if f = nil; c.Call != nil {
			calls, f = append(calls, c.Call), c.Call.Parent()
		}
	}
	for len(calls) < maxContext {
		for f != nil && f.Parent() != nil {
			f = f.Parent() // a literal belongs to the context around it
		}
		nodes := r.nodesOf[f]
		if f == nil || !r.s.traitsOf(f).perCall || len(nodes) != 1 {
			break
		}
		site := onlySite(r.Callers(nodes[0]))
		if site == nil || slices.Contains(calls, site) {
			break
		}
		calls, f = append(calls, site), site.Parent()
	}
	return calls
}

// onlySite returns the call that all edges are of, nil if there are several or none.
func onlySite(edges []Edge) ssa.CallInstruction {
	if len(edges) == 0 || slices.ContainsFunc(edges, func(e Edge) bool { return e.Site != edges[0].Site }) {
		return nil
	}
	return edges[0].Site
}
