package harness

import (
	"go/types"

	"github.com/empire-go/empire-go/frontend/load"
)

// Owners returns the types of the packages that hold an object of type t in a field, by value,
// behind a pointer or as elements, nearest first; then those that hold it behind an interface.
func Owners(p *load.Program, t *types.Named) []*types.Named {
	var all []*types.Named
	VisitOwners(p, t, func(o *types.Named) bool {
		all = append(all, o)
		return false
	})
	return all
}

// VisitOwners calls isEnough for what Owners returns, but for types that only own such as are enough.
func VisitOwners(p *load.Program, t *types.Named, isEnough func(*types.Named) bool) {
	packages := packagesFor(p, t)
	visited := map[*types.Named]bool{} // whether it was enough
	visit := func(o *types.Named) bool {
		if _, known := visited[o]; !known {
			visited[o] = isEnough(o)
		}
		return visited[o]
	}
	visitOwners(packages, t, leadsTo, visit)
	visitOwners(packages, t, mayLeadTo, visit)
}

// visitOwners is VisitOwners for one way to hold an object.
func visitOwners(packages []*types.Package, t *types.Named, leads func(types.Type, *types.Named) bool,
	isEnough func(*types.Named) bool) {
	seen := map[*types.TypeName]bool{t.Obj(): true}
	for work := []*types.Named{t}; len(work) > 0; work = work[1:] {
		for _, pkg := range packages {
			for _, name := range pkg.Scope().Names() {
				obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
				if !ok || obj.IsAlias() || seen[obj] {
					continue
				}
				named, ok := obj.Type().(*types.Named)
				if ok && holds(named, work[0], leads) {
					seen[obj] = true
					if !isEnough(named) {
						work = append(work, named)
					}
				}
			}
		}
	}
}

// holds tells whether what is in a field of a struct, or in a container type, leads to type t.
func holds(holder, t *types.Named, leads func(types.Type, *types.Named) bool) bool {
	structure, ok := holder.Underlying().(*types.Struct)
	if !ok {
		return !types.IsInterface(holder) && leads(holder.Underlying(), t)
	}
	for f := range structure.Fields() {
		if leads(f.Type(), t) {
			return true
		}
	}
	return false
}

// mayLeadTo is leadsTo where an interface of the library stands for what implements it.
func mayLeadTo(of types.Type, t *types.Named) bool {
	element := elementOf(of)
	named, ok := types.Unalias(element).(*types.Named)
	if !ok || named.Obj().Pkg() != t.Obj().Pkg() {
		return false
	}
	i, ok := named.Underlying().(*types.Interface)
	return leadsTo(of, t) || ok && i.NumMethods() > 0 && types.Implements(types.NewPointer(instance(t)), i)
}

// leadsTo tells whether a value of a type is one of type t, points to one or contains
// them as elements.
func leadsTo(of types.Type, t *types.Named) bool {
	named, ok := types.Unalias(elementOf(of)).(*types.Named)
	return ok && named.Origin().Obj() == t.Obj()
}

// elementOf returns what pointers and containers of a type lead to, as far as they have no name.
func elementOf(t types.Type) types.Type {
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		case *types.Chan:
			t = u.Elem()
		default:
			return t
		}
	}
}
