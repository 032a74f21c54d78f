package execute

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// isConstant tells whether a variable is what its package makes of it when it is initialised, in each run that touches
// it: an error, a function, a number or a text that nobody else can store, and whose address nobody takes.
func (p *Program) isConstant(v *ssa.Global) bool {
	if v.Object() == nil || v.Object().Exported() || !isPlainConstant(v.Object().Type()) {
		return false
	}
	changed, known := p.changed[v.Pkg]
	if !known {
		changed = knowledge.Changed(v.Pkg)
		p.changed[v.Pkg] = changed
	}
	return !changed[v]
}

// isPlainConstant tells whether what a variable of a type leads to has no state.
func isPlainConstant(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Signature:
		return true
	}
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
