package candidates

import (
	"go/types"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/query"
)

// isGuardedByElement tells whether a field is an array of which each element has a lock of its
// own, in an array beside it, as c.locks[i] for c.parts[i]. Then the elements are sets of their
// own, and the array is none. (Those of a library are not: clients have none at hand.)
func (f *finder) isGuardedByElement(o *owner, x *field) bool {
	array, ok := arrayField(o.variants[0].Type, x.name)
	if !ok || x.set != "" || f.Clients {
		return false
	}
	named := query.NamedStruct(array.Elem())
	if named == nil || f.types[named.Obj()] == nil {
		return false
	}
	return slices.ContainsFunc(f.types[named.Obj()].fields, func(y *field) bool {
		lock, ok := strings.CutPrefix(y.guard().name, o.variants[0].Type.Obj().Name()+".")
		if !ok {
			return false
		}
		locks, ok := arrayField(o.variants[0].Type, lock)
		return ok && query.IsSynchronisation(locks)
	})
}

// arrayField returns the type of a field that is an array.
func arrayField(t *types.Named, name string) (array *types.Array, ok bool) {
	for v := range t.Underlying().(*types.Struct).Fields() {
		if v.Name() == name {
			array, ok = v.Type().Underlying().(*types.Array)
			return array, ok
		}
	}
	return nil, false
}
