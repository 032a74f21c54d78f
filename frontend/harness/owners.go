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
	h := holdersIn(p, packages)
	visitOwners(t, h.directly, visit)
	visitOwners(t, h.orBehindInterfaces, visit)
}

// holders says which types of some packages hold others, in the order of the packages and of the names.
type holders struct {
	of map[*types.TypeName][]*types.Named // of a type: what holds it
	in map[*types.Package][]held          // what is held of types that the package declares
}

// held is that a type holds another one.
type held struct{ holder, element *types.Named }

// holdersIn finds out, once, what the packages for a type of the program declare. It takes time linear in that.
func holdersIn(p *load.Program, packages []*types.Package) *holders {
	return load.Keep(p, keyOf[holders](packages), func() *holders {
		h := &holders{of: map[*types.TypeName][]*types.Named{}, in: map[*types.Package][]held{}}
		for _, pkg := range packages {
			for _, o := range declaredIn(p, pkg).objects {
				declared, ok := o.(*types.TypeName)
				if !ok || declared.IsAlias() {
					continue
				}
				if holder, ok := declared.Type().(*types.Named); ok {
					h.add(holder)
				}
			}
		}
		return h
	})
}

// add adds what is in the fields of a struct, or in a container type.
func (h *holders) add(holder *types.Named) {
	add := func(t types.Type) {
		element, ok := types.Unalias(elementOf(t)).(*types.Named)
		if !ok {
			return
		}
		obj, pkg := element.Origin().Obj(), element.Obj().Pkg()
		h.of[obj] = append(h.of[obj], holder)
		h.in[pkg] = append(h.in[pkg], held{holder, element})
	}
	structure, ok := holder.Underlying().(*types.Struct)
	switch {
	case ok:
		for f := range structure.Fields() {
			add(f.Type())
		}
	case !types.IsInterface(holder):
		add(holder.Underlying())
	}
}

// directly returns what holds objects of a type.
func (h *holders) directly(t *types.Named) []*types.Named { return h.of[t.Obj()] }

// orBehindInterfaces is directly where an interface of the package of a type stands for what implements it.
func (h *holders) orBehindInterfaces(t *types.Named) (all []*types.Named) {
	pointer, known := types.NewPointer(instance(t)), map[*types.Named]bool{}
	mayBe := func(element *types.Named) bool {
		i, ok := element.Underlying().(*types.Interface)
		return element.Origin().Obj() == t.Obj() || ok && i.NumMethods() > 0 && types.Implements(pointer, i)
	}
	for _, pair := range h.in[t.Obj().Pkg()] {
		is, isKnown := known[pair.element]
		if !isKnown {
			is = mayBe(pair.element)
			known[pair.element] = is
		}
		if is {
			all = append(all, pair.holder)
		}
	}
	return all
}

// visitOwners is VisitOwners for one way to hold an object.
func visitOwners(t *types.Named, holding func(*types.Named) []*types.Named, isEnough func(*types.Named) bool) {
	seen := map[*types.TypeName]bool{t.Obj(): true}
	for work := []*types.Named{t}; len(work) > 0; work = work[1:] {
		for _, holder := range holding(work[0]) {
			if seen[holder.Obj()] {
				continue
			}
			seen[holder.Obj()] = true
			if !isEnough(holder) {
				work = append(work, holder)
			}
		}
	}
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
