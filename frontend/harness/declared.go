package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// declarations is what a package declares, in the order of the names. It is found once: clients are written for many
// types, and each time all packages are gone through.
type declarations struct {
	objects   []types.Object           // of the package's scope
	exported  []*types.Func            // of these
	functions []*types.Func            // and methods
	asserted  map[*types.TypeName]bool // of what functions assert that an interface holds it, or a pointer to it
}

// declaredIn returns what a package of the program declares. It takes time linear in its code, once.
func declaredIn(p *load.Program, pkg *types.Package) *declarations {
	type key struct{ pkg *types.Package }
	return load.Keep(p, key{pkg}, func() *declarations {
		d := &declarations{functions: functionsOf(pkg), asserted: map[*types.TypeName]bool{}}
		for _, name := range pkg.Scope().Names() {
			o := pkg.Scope().Lookup(name)
			d.objects = append(d.objects, o)
			if fn, ok := o.(*types.Func); ok && fn.Exported() {
				d.exported = append(d.exported, fn)
			}
		}
		for _, fn := range d.functions {
			d.addAsserted(p.SSA.FuncValue(fn))
		}
		return d
	})
}

// addAsserted adds what a function asserts, with the literals in it.
func (d *declarations) addAsserted(fn *ssa.Function) {
	if fn == nil {
		return
	}
	for _, literal := range fn.AnonFuncs {
		d.addAsserted(literal)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if a, ok := instr.(*ssa.TypeAssert); ok {
				if named := namedOf(a.AssertedType); named != nil {
					d.asserted[named.Origin().Obj()] = true
				}
			}
		}
	}
}

// functionsOf returns the functions and methods of a package.
func functionsOf(pkg *types.Package) []*types.Func {
	var all []*types.Func
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			all = append(all, o)
		case *types.TypeName:
			if named, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
				all = slices.AppendSeq(all, named.Methods())
			}
		}
	}
	return all
}

// exportedFunctions returns the exported functions of packages of the program that are no
// methods, in the order of their names.
func exportedFunctions(p *load.Program, packages []*types.Package) []*types.Func {
	var all []*types.Func
	for _, pkg := range packages {
		all = append(all, declaredIn(p, pkg).exported...)
	}
	return all
}

// packagesKey is under what a T is kept that depends on the packages for a type.
type packagesKey[T any] struct{ last *types.Package }

// keyOf returns the key: all packages but the last one are those named, see packagesFor.
func keyOf[T any](packages []*types.Package) (key packagesKey[T]) {
	if n := len(packages); n > 0 {
		key.last = packages[n-1]
	}
	return key
}
