package lower

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// assumeOthers lists the types that are checked on their own.
func (l *lowerer) assumeOthers() {
	held := l.Stars.OthersHeld()
	if len(held) == 0 {
		return
	}
	var names []string
	for _, t := range held {
		names = append(names, t.Name())
	}
	l.assume("apart", held[0].Pos(), "objects with a lock of their own are checked on their own, and are no part of "+
		"the fields that lead to them: %s", strings.Join(names, ", "))
}

// assumeOtherwise lists the fields of objects that fields lead to and that are synchronised
// without locks.
func (l *lowerer) assumeOtherwise() {
	if names := l.Stars.FieldsOtherwise(); len(names) > 0 && l.Stars.Subject.Type != nil {
		l.assume("apart", l.Stars.Subject.Type.Obj().Pos(),
			"what is used with no lock held, beside something to wait for, or by atomic operations only, is synchronised by "+
				"that, and no part of the fields that lead to it: %s", strings.Join(names, ", "))
	}
}

// assumeBlackBoxes lists the types of the standard library's objects that fields lead to
// and that guard themselves.
func (l *lowerer) assumeBlackBoxes() {
	if l.Stars.Subject.Type == nil {
		return
	}
	var names []string
	for _, o := range l.Stars.BlackBoxes() {
		named := types.Unalias(o.Type).(*types.Named)
		if name := named.Obj().Pkg().Name() + "." + named.Obj().Name(); named.Obj().Exported() &&
			!slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		l.assume("library", l.Stars.Subject.Type.Obj().Pos(),
			"objects of the type %s guard themselves: to call their methods is no access to what leads to them",
			strings.Join(names, ", "))
	}
}

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
