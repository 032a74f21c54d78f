package query

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// MadeElsewhere returns the full names of the types of which packages of the module make values that other packages
// declare: as a variable, as part of a value of their own, or by a literal. What clients of the package that declares
// such a type make by its functions is not all that there is of it.
func MadeElsewhere(p *load.Program) map[string]bool {
	made := map[string]bool{}
	for _, pkg := range p.Imported() {
		if !p.InModule(pkg.Pkg.Path()) {
			continue
		}
		note := func(t types.Type) { addParts(made, pkg.Pkg, t) }
		for _, member := range pkg.Members {
			if v, ok := member.(*ssa.Global); ok {
				note(v.Type().(*types.Pointer).Elem())
			}
		}
		for _, fn := range load.DeclaredIn(pkg) {
			for _, block := range fn.Blocks {
				for _, instr := range block.Instrs {
					noteMade(instr, note)
				}
			}
		}
	}
	return made
}

// noteMade notes the types of values that an instruction makes: in new memory, or as zero values.
func noteMade(instr ssa.Instruction, note func(types.Type)) {
	switch x := instr.(type) {
	case *ssa.Alloc:
		note(x.Type().Underlying().(*types.Pointer).Elem())
	case *ssa.MakeSlice:
		note(x.Type().Underlying().(*types.Slice).Elem())
	case *ssa.MakeChan:
		note(x.Type().Underlying().(*types.Chan).Elem()) // a closed one gives zero values
	case *ssa.Lookup:
		if m, ok := x.X.Type().Underlying().(*types.Map); ok {
			note(m.Elem()) // of a key that is not there
		}
	}
	for _, operand := range instr.Operands(nil) {
		if c, ok := (*operand).(*ssa.Const); ok && c.Value == nil {
			note(c.Type())
		}
	}
}

// addParts adds the types that a value of a type consists of, if another package than pkg declares them.
func addParts(made map[string]bool, pkg *types.Package, t types.Type) {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if of := named.Obj().Pkg(); of != nil && of != pkg {
			made[of.Path()+"."+named.Obj().Name()] = true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			addParts(made, pkg, f.Type())
		}
	case *types.Array:
		addParts(made, pkg, u.Elem())
	}
}
