package load

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// simplify changes functions of the main modules so that they do the same in a simpler way.
// Later stages tell apart more of what is done directly.
func simplify(functions []*ssa.Function) {
	forwardStores(functions)
	callMethods(functions)
}

// ownFunctions returns the functions with a body of the main modules: those that are
// declared, literals, and instances that are used or that types kept in interfaces have.
func (p *Program) ownFunctions() []*ssa.Function {
	var all []*ssa.Function
	seen := map[*ssa.Function]bool{}
	visit := func(fn *ssa.Function) {
		if fn != nil && !seen[fn] && fn.Pkg != nil && p.InModule(fn.Pkg.Pkg.Path()) {
			seen[fn] = true
			all = append(all, fn)
		}
	}
	for _, pkg := range p.SSA.AllPackages() {
		if !p.InModule(pkg.Pkg.Path()) {
			continue
		}
		for _, fn := range knowledge.Declared(pkg) {
			visit(fn)
		}
	}
	for _, t := range p.SSA.RuntimeTypes() {
		if named, ok := t.(*types.Named); ok && named.TypeArgs().Len() > 0 && named.Obj().Pkg() != nil &&
			p.InModule(named.Obj().Pkg().Path()) {
			for _, t := range []types.Type{named, types.NewPointer(named)} {
				for method := range p.SSA.MethodSets.MethodSet(t).Methods() {
					visit(p.SSA.MethodValue(method))
				}
			}
		}
	}
	for i := 0; i < len(all); i++ {
		for _, b := range all[i].Blocks {
			for _, instr := range b.Instrs {
				for _, operand := range instr.Operands(nil) {
					if fn, ok := (*operand).(*ssa.Function); ok {
						visit(fn)
					}
				}
			}
		}
	}
	return all
}
