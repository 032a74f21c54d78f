package pipeline

import (
	"fmt"
	"strings"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// holes lists what the points-to analysis does not handle, as assumptions: in the
// module each where it is; in another module once for each kind and package, where
// the module calls what leads there. Those of the standard library are none: what it does
// by reflection, or in functions without body, to the fields that are checked is in the
// model, with an assumption of its own (knowledge/opaque.go); what it keeps is known
// (pointsto/models.go), but for a few packages.
func (a *analysis) holes() []Assumption {
	type elsewhere struct {
		kind pointsto.HoleKind
		pkg  string
	}
	var all []Assumption
	seen := map[elsewhere]bool{}
	for _, h := range a.graph.Holes() {
		at := a.program.Position(h.Pos)
		switch {
		case at.InModule():
			all = append(all, Assumption{h.Kind.String(), at.String(), h.Text})
		case strings.HasPrefix(at.File, "$GOROOT/") &&
			!(h.Func.Pkg != nil && knowledge.CallsByReflection(h.Func.Pkg.Pkg.Path())):
		case h.Func.Pkg != nil:
			key := elsewhere{h.Kind, h.Func.Pkg.Pkg.Path()}
			if seen[key] {
				continue
			}
			if call := a.calledFrom(h); call.InModule() {
				seen[key] = true
				all = append(all, Assumption{h.Kind.String(), call.String(), fmt.Sprintf("what is called here leads to package "+
					"%s: %s", key.pkg, h.Text)})
			}
		}
	}
	return all
}

// calledFrom returns the position of a call in the module from which the hole is
// reached with the fewest calls.
func (a *analysis) calledFrom(h pointsto.Hole) esl.Pos {
	work := append([]*pointsto.Node(nil), a.graph.NodesOf(h.Func)...)
	seen := map[*pointsto.Node]bool{}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		if seen[n] {
			continue
		}
		seen[n] = true
		for _, e := range a.graph.Callers(n) {
			if at := a.program.Position(e.Site.Pos()); at.InModule() {
				return at
			}
			work = append(work, e.Caller)
		}
	}
	return esl.Pos{}
}
