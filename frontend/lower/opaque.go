package lower

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// assumeOpaque lists what is assumed of a function that is not understood, where the module
// calls what leads there.
func (l *lowerer) assumeOpaque(c *clone, callee *ssa.Function, at ssa.Instruction) {
	pos := at.Pos()
	seen := map[*pointsto.Node]bool{c.node: true}
	for work := []*pointsto.Node{c.node}; len(work) > 0 && !l.Program.Position(pos).InModule(); work = work[1:] {
		for _, e := range l.Graph.Callers(work[0]) {
			if pos = e.Site.Pos(); l.Program.Position(pos).InModule() {
				break
			}
			if !seen[e.Caller] {
				seen[e.Caller] = true
				work = append(work, e.Caller)
			}
		}
	}
	l.assume("library", pos, "%s, which is not analysed, reads and writes what it is handed while the call lasts, and "+
		"keeps none of it", callee)
}

// assumeLeftOut lists what was left out because too much of the libraries may do it.
func (l *lowerer) assumeLeftOut() {
	if n := l.Kept.LeftOut; n != nil {
		text := fmt.Sprintf("what functions of libraries do by reflection, or by code without a body in Go, is assumed not "+
			"to get at the object: too many might, as %s", n.Func)
		l.assumptions[Assumption{Kind: "library", Text: text}] = true
	}
}
