package isolate

import (
	"cmp"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// IsApart tells whether the memory, which fields of stars lead to, guards itself: it
// is an object with a lock of its own, or of atomic fields, or of a type that the package of
// the set cannot name, or is reached through such objects only, as a counter with its lock in
// a registry. It is a location of its own beside the field, and what is done to it does not
// make a function a unit on the star.
func (i *Isolation) IsApart(o *pointsto.Object) bool {
	if i.unguarded == nil {
		i.findUnguarded()
	}
	return !i.unguarded[o]
}

// IsApartAt tells whether the cell is memory of locations that guards itself, and no star.
func (i *Isolation) IsApartAt(c pointsto.Cell) bool {
	return len(i.regions[c.Object]) > 0 && len(i.StarsAt(c)) == 0 && i.IsApart(c.Object)
}

// TypesApart returns the types, by name, of the objects that guard themselves and that fields lead to.
func (i *Isolation) TypesApart() []string {
	seen := map[string]bool{}
	for o := range i.regions {
		if i.isOnItsOwn(o.Type) && i.IsApartAt(pointsto.Cell{Object: o}) {
			seen[elementOf(o.Type).String()] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// LeaveApart leaves what guards itself out of the locations: what is done to it is left to those objects. That is an
// assumption, as each of them may be used in several steps where only one of them would be right.
func (i *Isolation) LeaveApart() {
	i.leavesApart, i.near = true, nil
	i.forget()
}

// LeavesApart tells whether LeaveApart was called.
func (i *Isolation) LeavesApart() bool { return i.leavesApart }

// IsLeftApart tells whether the memory is left out of the locations.
func (i *Isolation) IsLeftApart(o *pointsto.Object) bool { return i.leavesApart && i.IsApart(o) }

// findUnguarded follows the fields of the stars as far as to objects that guard themselves.
func (i *Isolation) findUnguarded() {
	i.unguarded = map[*pointsto.Object]bool{}
	for _, star := range i.Stars {
		for _, name := range i.Subject.Fields {
			for _, o := range sortedObjects(star.Objects) {
				for _, c := range i.under(star, o, name) {
					i.unguardedFrom(c)
				}
			}
		}
	}
}

func (i *Isolation) unguardedFrom(c pointsto.Cell) {
	for _, next := range i.graph.Contents(c).Cells() {
		o := next.Object
		if i.unguarded[o] || len(i.regions[o]) == 0 || i.isOnItsOwn(o.Type) {
			continue
		}
		i.unguarded[o] = true
		for _, inner := range i.graph.Cells(o) {
			i.unguardedFrom(inner)
		}
	}
}

// isOnItsOwn tells whether objects of a type, which fields lead to, guard themselves, or are another package's.
func (i *Isolation) isOnItsOwn(t types.Type) bool { return guardsItself(t) || i.isForeign(t) }

// isForeign tells whether the package of the set cannot name a type, or that of the elements, as it does not import
// that package: clients have handed over an object of it, behind an interface, and all that it can do is to call it.
func (i *Isolation) isForeign(t types.Type) bool {
	named, ok := elementOf(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	if i.reach == nil {
		i.reach = load.InReach(i.Subject.Packages()...)
	}
	return i.reach[named.Obj().Pkg().Path()] == nil
}

// elementOf returns the type of the elements of an array or a slice, else the type.
func elementOf(t types.Type) types.Type {
	t = types.Unalias(t)
	switch u := t.(type) {
	case *types.Array:
		return elementOf(u.Elem())
	case *types.Slice:
		return elementOf(u.Elem())
	}
	return t
}

// OthersHeld returns the types that are checked on their own (see query.Subject) and of
// whose objects fields lead to one, by name.
func (i *Isolation) OthersHeld() []*types.TypeName {
	found := map[*types.TypeName]bool{}
	look := func(cells []pointsto.Cell) {
		for _, c := range cells {
			for _, held := range i.graph.Contents(c).Objects() {
				if i.Subject.IsOther(held.Type) && !i.Subject.Is(held.Type) {
					found[types.Unalias(held.Type).(*types.Named).Origin().Obj()] = true
				}
			}
		}
	}
	for _, star := range i.Stars {
		for o := range star.Objects {
			for _, name := range i.Subject.Fields {
				look(i.under(star, o, name))
			}
		}
	}
	for o := range i.regions {
		look(i.graph.Cells(o))
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b *types.TypeName) int {
		return cmp.Or(strings.Compare(a.Name(), b.Name()), int(a.Pos()-b.Pos()))
	})
}

// guardsItself tells whether values of the type, or the elements of an array, have a
// lock in them, or are changed by operations of package sync/atomic only.
func guardsItself(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return hasLock(u.Elem())
	case *types.Slice:
		return hasLock(u.Elem())
	case *types.Struct:
		return query.HasLock(u) || isAtomic(t) || u.NumFields() > 0 &&
			!slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool {
				return !isAtomic(f.Type())
			})
	}
	return false
}

func hasLock(t types.Type) bool {
	structure, ok := t.Underlying().(*types.Struct)
	return ok && query.HasLock(structure)
}

// isAtomic tells whether the type is one of package sync/atomic.
func isAtomic(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic"
}
