package shared

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Memory escapes its goroutine if a package variable leads there, or what another goroutine begins with. Any other
// object is used by the goroutine alone that has made it, though goroutines that run the same code may each have one.
// (Thread escape: Whaley and Rinard, Compositional pointer and escape analysis, OOPSLA 1999.)

// findEscaping finds the objects that may escape. Linear in the memory of the program.
func (f *finder) findEscaping() {
	f.escapes = map[*pointsto.Object]bool{}
	var work []*pointsto.Object
	for _, o := range f.graph.Objects() {
		if g, ok := o.Site.(*ssa.Global); ok && !f.isPoolOfLibrary(g) {
			work = append(work, o)
		}
	}
	started := map[*pointsto.Node]bool{}
	for _, n := range f.graph.Nodes() {
		for _, e := range f.graph.Calls(n) {
			if f.often.Begins(e) && !started[e.Callee] {
				started[e.Callee] = true
				for _, v := range ssaflow.Inputs(e.Callee.Func) {
					work = append(work, f.graph.PointsTo(e.Callee, v).Objects()...)
				}
			}
		}
	}
	for len(work) > 0 {
		f.poll.Check()
		reached := f.graph.Reachable(work...)
		work = nil
		for _, o := range reached {
			if f.escapes[o] {
				continue
			}
			f.escapes[o] = true
			if literal, ok := o.Site.(*ssa.MakeClosure); ok {
				for _, n := range f.graph.NodesOf(literal.Parent()) {
					for _, binding := range literal.Bindings {
						work = append(work, f.graph.PointsTo(n, binding).Objects()...)
					}
				}
			}
		}
	}
}

// isPoolOfLibrary tells whether a variable is a pool of the standard library, whose items are taken by one goroutine at
// a time, and forget what they were used for when they are put back; or a list of pools.
func (f *finder) isPoolOfLibrary(g *ssa.Global) bool {
	switch g.Type().(*types.Pointer).Elem().String() {
	case "sync.Pool", "[]*sync.Pool":
		path := g.Pkg.Pkg.Path()
		return knowledge.IsStandardPath(path) && !f.program.InModule(path)
	}
	return false
}
