package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// What an internal package exports only the module itself can call.

// isInternal tells whether only the module itself can make the object, though packages are named that others import.
func (w *clientWriter) isInternal() bool {
	isInternal := func(pkg *types.Package) bool {
		_, is := load.InternalTo(pkg.Path())
		return is
	}
	if w.named == nil || !slices.ContainsFunc(w.loaded.Packages, func(pkg *ssa.Package) bool {
		return pkg.Pkg.Name() != "main" && !isInternal(pkg.Pkg)
	}) {
		return false
	}
	return !slices.ContainsFunc(w.makers, func(m maker) bool {
		if m.fn == nil {
			return !isInternal(w.named.Obj().Pkg())
		}
		return !isInternal(m.fn.Pkg())
	})
}

// isHandedOut tells whether a package that others import declares something of the type of the object, as an alias or
// an embedded field: what it has, others can call.
func (w *clientWriter) isHandedOut() bool {
	return slices.ContainsFunc(w.loaded.Packages, func(pkg *ssa.Package) bool {
		if _, is := load.InternalTo(pkg.Pkg.Path()); is || pkg.Pkg.Name() == "main" {
			return false
		}
		for _, declared := range declaredIn(w.loaded, pkg.Pkg).objects {
			o, ok := declared.(*types.TypeName)
			if !ok || !o.Exported() {
				continue
			}
			if o.IsAlias() && namedOf(o.Type()) != nil && namedOf(o.Type()).Origin().Obj() == w.named.Obj() {
				return true
			}
			structure, ok := o.Type().Underlying().(*types.Struct)
			if ok && slices.ContainsFunc(slices.Collect(structure.Fields()), func(f *types.Var) bool {
				of := namedOf(f.Type())
				return (f.Exported() || f.Embedded()) && of != nil && of.Origin().Obj() == w.named.Obj()
			}) {
				return true
			}
		}
		return false
	})
}
