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
		changed = changedIn(v.Pkg)
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

// changedIn returns the variables of which a function of the package does anything but read them, but for what the
// compiler makes to initialise it.
func changedIn(pkg *ssa.Package) map[*ssa.Global]bool {
	all := knowledge.Declared(pkg)
	changed := map[*ssa.Global]bool{}
	for i := 0; i < len(all); i++ {
		fn := all[i]
		if fn == nil {
			continue
		}
		all = append(all, fn.AnonFuncs...)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if _, isRead := instr.(*ssa.UnOp); isRead {
					continue
				}
				operands := instr.Operands(nil)
				if _, isStore := instr.(*ssa.Store); isStore && fn.Synthetic == "package initializer" {
					operands = operands[1:] // what is stored, and not where
				}
				for _, v := range operands {
					if global, ok := (*v).(*ssa.Global); ok {
						changed[global] = true
					}
				}
			}
		}
	}
	return changed
}
