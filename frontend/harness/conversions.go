package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// A function that returns an interface returns the object in it only if the object is converted to that interface
// somewhere, or to another one that is converted or asserted to it (as in rapid type analysis: Bacon and Sweeney,
// OOPSLA 1996).

// mayHold tells whether code of the module may make an interface hold the object, or one that a method of it returns:
// a builder.
func (w *clientWriter) mayHold(iface types.Type) bool {
	if w.holding == nil {
		w.holding = w.converted()
	}
	holds := func(t types.Type) bool {
		return slices.ContainsFunc(w.holding, func(known types.Type) bool { return isSame(known, t) })
	}
	if holds(iface) {
		return true
	}
	underlying, ok := iface.Underlying().(*types.Interface)
	return ok && slices.ContainsFunc(slices.Collect(underlying.Methods()), func(fn *types.Func) bool {
		results := slices.Collect(fn.Signature().Results().Variables())
		return slices.ContainsFunc(results, func(v *types.Var) bool { return holds(v.Type()) })
	})
}

// isSame tells whether two interfaces are one, or instances of one: generic code converts to instances of its own.
func isSame(a, b types.Type) bool {
	x, y := namedOf(a), namedOf(b)
	return types.Identical(a, b) || x != nil && y != nil && x.Origin() == y.Origin()
}

// isOfParameter tells whether a value is of a type parameter, or a pointer to one: it may be of any type.
func isOfParameter(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.(*types.TypeParam)
	return ok
}

// converted returns the interfaces that may hold the object.
func (w *clientWriter) converted() []types.Type {
	all := []types.Type{} // not nil: it is known
	type step struct{ from, to types.Type }
	var steps []step
	add := func(t types.Type) bool {
		isNew := !slices.ContainsFunc(all, func(known types.Type) bool { return isSame(known, t) })
		if isNew {
			all = append(all, t)
		}
		return isNew
	}
	for _, pkg := range w.loaded.Imported() {
		if !w.loaded.InModule(pkg.Pkg.Path()) {
			continue
		}
		for _, fn := range load.DeclaredIn(pkg) {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					switch x := instr.(type) {
					case *ssa.MakeInterface:
						if made := namedOf(x.X.Type()); isOfParameter(x.X.Type()) ||
							made != nil && made.Origin().Obj() == w.named.Obj() {
							add(x.Type())
						}
					case *ssa.ChangeInterface:
						steps = append(steps, step{x.X.Type(), x.Type()})
					case *ssa.TypeAssert:
						if types.IsInterface(x.AssertedType) {
							steps = append(steps, step{x.X.Type(), x.AssertedType})
						}
					}
				}
			}
		}
	}
	for again := true; again; {
		again = false
		for _, s := range steps {
			if slices.ContainsFunc(all, func(t types.Type) bool { return isSame(t, s.from) }) {
				again = add(s.to) || again
			}
		}
	}
	return all
}
