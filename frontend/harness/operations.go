package harness

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// operation is something that clients do to the object.
type operation struct {
	name     string
	fn       *types.Func      // nil: an access to a field
	receiver types.Type       // nil: a function
	on       types.Type       // of a method of another type: what it is called on
	sig      *types.Signature // instantiated
	field    *types.Var
	write    bool
}

// operations returns what clients can do: the exported methods of the object and the
// exported functions that take one; if there are none, methods of other types that do.
func (w *clientWriter) operations() []operation {
	var all []operation
	set := types.NewMethodSet(types.NewPointer(w.object))
	for i := range set.Len() {
		fn := set.At(i).Obj().(*types.Func)
		switch {
		case !fn.Exported():
		case fn.Pkg() != nil && fn.Pkg().Path() == "sync":
			// A promoted Lock or Unlock: clients leave locks alone.
			w.uncalled = append(w.uncalled, fn.Name())
		case !w.isOffered(fn):
			w.inside = append(w.inside, fn.Name())
		case w.remakes(fn):
			w.uncalled = append(w.uncalled, fn.Name()+
				" (overwrites the object, locks and atomics included: only who has it alone can call it)")
		default:
			all = append(all, operation{name: fn.Name(), fn: fn, receiver: set.At(i).Recv(),
				sig: set.At(i).Type().(*types.Signature)})
		}
	}
	for _, fn := range exportedFunctions(w.loaded, w.packages) {
		signature, ok := instantiated(fn, w.object)
		if !ok {
			continue
		}
		switch {
		case w.takesItself(signature) && !w.isOffered(fn):
			w.inside = append(w.inside, fn.Name())
		case w.takesItself(signature):
			all = append(all, operation{name: fn.Name(), fn: fn, sig: signature})
		case w.takesObject(signature) && w.resultIndex(signature) < 0:
			w.uncalled = append(w.uncalled, fn.Name()+" (takes an interface, and calls what clients call)")
		}
	}
	if len(all) == 0 {
		all = w.methodsOfOthers()
	}
	all = append(all, w.functionsOnVariables(all)...)
	return append(all, w.fieldOperations()...)
}

// isOffered tells whether a client calls a function: any exported one, but of an internal package only what the
// packages around it use.
func (w *clientWriter) isOffered(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true
	}
	used, isKnown := w.loaded.UsedAround(fn.Pkg())
	return !isKnown || used[fn.Origin()]
}

// remakes tells whether a method overwrites the whole object, with the locks and atomics in it, by plain stores:
//
//	*m = Message{Arena: arena}
//
// Whatever the others do at that time, it does not go together with that: the object is made anew there.
func (w *clientWriter) remakes(fn *types.Func) bool {
	body := w.program.FuncValue(fn.Origin())
	if body == nil || len(body.Blocks) == 0 || isForOne(w.object) {
		return false
	}
	for _, use := range *body.Params[0].Referrers() {
		if store, ok := use.(*ssa.Store); ok && store.Addr == ssa.Value(body.Params[0]) {
			return true
		}
	}
	return false
}

// methodsOfOthers returns the exported methods of other types that take the object.
func (w *clientWriter) methodsOfOthers() []operation {
	var all []operation
	w.eachMethodOfOthers(func(on types.Type, fn *types.Func, signature *types.Signature) {
		if w.takesItself(signature) {
			name := namedOf(on).Obj().Name() + "." + fn.Name()
			all = append(all, operation{name: name, fn: fn, sig: signature, on: on})
		}
	})
	return all
}

// eachMethodOfOthers calls visit for the exported methods of other exported types, with a pointer
// to the type that each is called on.
func (w *clientWriter) eachMethodOfOthers(visit func(on types.Type, fn *types.Func, signature *types.Signature)) {
	for _, pkg := range w.packages {
		for _, o := range declaredIn(w.loaded, pkg).objects {
			obj, ok := o.(*types.TypeName)
			if !ok || !obj.Exported() || obj.IsAlias() || types.IsInterface(obj.Type()) {
				continue
			}
			named, ok := obj.Type().(*types.Named)
			if !ok || named.Obj() == w.named.Obj() {
				continue
			}
			other, ok := instance(named).(*types.Named)
			if !ok || isGeneric(other) {
				continue
			}
			on := types.NewPointer(other)
			for method := range types.NewMethodSet(on).Methods() {
				if fn := method.Obj().(*types.Func); fn.Exported() && w.isOffered(fn) {
					visit(on, fn, method.Type().(*types.Signature))
				}
			}
		}
	}
}

// takesObject tells whether a parameter can be the object.
func (w *clientWriter) takesObject(s *types.Signature) bool {
	for v := range s.Params().Variables() {
		if w.isObject(v.Type()) {
			return true
		}
	}
	return false
}

// takesItself tells whether a parameter is the object by its type, or an interface by
// which more can be done to it than clients do: one with unexported methods, or any if
// the packages look for the type in interfaces. What is handed the object as another
// interface calls its exported methods, which clients call themselves.
func (w *clientWriter) takesItself(s *types.Signature) bool {
	for v := range s.Params().Variables() {
		i, isInterface := v.Type().Underlying().(*types.Interface)
		if w.isObject(v.Type()) && (!isInterface || hasUnexported(i) || w.isAsserted()) {
			return true
		}
	}
	return false
}

// hasUnexported tells whether the interface has a method that clients cannot call.
func hasUnexported(i *types.Interface) bool {
	for m := range i.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
}

// isAsserted tells whether a function of the packages asserts that an interface holds
// the object.
func (w *clientWriter) isAsserted() bool {
	return slices.ContainsFunc(w.packages, func(pkg *types.Package) bool {
		return declaredIn(w.loaded, pkg).asserted[w.named.Obj()]
	})
}

// fieldOperations returns the accesses to exported fields, if clients make any.
func (w *clientWriter) fieldOperations() []operation {
	structure, ok := w.object.Underlying().(*types.Struct)
	if !ok || !w.named.Obj().Exported() {
		return nil
	}
	var all []operation
	for f := range structure.Fields() {
		if !f.Exported() || isFromSync(f.Type()) {
			continue
		}
		if !w.config.Fields {
			w.untouched = append(w.untouched, f.Name())
			continue
		}
		all = append(all, operation{name: f.Name(), field: f, receiver: w.object},
			operation{name: f.Name(), field: f, receiver: w.object, write: true})
	}
	return all
}

// isFromSync tells whether the type is one of package sync, or a pointer to one.
func isFromSync(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync"
}

// takesSecond tells whether the operation is handed an object besides its receiver.
func (w *clientWriter) takesSecond(o operation) bool {
	if o.sig == nil {
		return false
	}
	objects := 0
	if o.receiver != nil {
		objects++
	}
	for v := range o.sig.Params().Variables() {
		t := v.Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		if w.isObject(t) {
			objects++
		}
	}
	return objects > 1
}

// operationCase writes the operation on a receiver; ok is false if it cannot be
// called, or is nothing new with the second object.
func (w *clientWriter) operationCase(o operation, receiver string, objects []string, static types.Type, isSecond bool) (
	string, bool) {
	var b strings.Builder
	if o.field != nil {
		if isSecond {
			return "", false
		}
		return w.fieldCase(o, receiver)
	}
	prefix := ""
	if o.on != nil {
		other, ok := w.values.value(&b, o.on, nil, maxDepth)
		if !ok || other == "nil" {
			w.uncalled = append(w.uncalled, o.name)
			return "", false
		}
		prefix = other + "."
	}
	if o.receiver != nil {
		prefix = receiver + "."
		if i, ok := static.Underlying().(*types.Interface); ok && !hasMethod(i, o.name) {
			name, ok := w.values.interfaceOf(o)
			if !ok {
				w.uncalled = append(w.uncalled, o.name)
				return "", false
			}
			prefix = fmt.Sprintf("any(%s).(%s).", receiver, name)
		}
	}
	if static != nil && types.IsInterface(static) && w.takesConcrete(o.sig) {
		w.uncalled = append(w.uncalled, o.name+" (takes the type itself, which clients have as an interface)")
		return "", false
	}
	call, ok := w.values.call(&b, prefix, o.fn, o.sig, objects)
	if !ok {
		w.uncalled = append(w.uncalled, o.name)
		return "", false
	}
	if serves(w.program.FuncValue(o.fn.Origin())) {
		fmt.Fprintf(&b, "go %s\n", call)
		return b.String(), true
	}
	w.values.drive(&b, call, o.sig)
	return b.String(), true
}

// takesConcrete tells whether a parameter is the object by its type, or several of them.
func (w *clientWriter) takesConcrete(s *types.Signature) bool {
	for v := range s.Params().Variables() {
		t := v.Type()
		if list, ok := t.Underlying().(*types.Slice); ok {
			t = list.Elem()
		}
		if w.isItself(t) {
			return true
		}
	}
	return false
}

// hasMethod tells whether the interface has a method with the name.
func hasMethod(i *types.Interface, name string) bool {
	for m := range i.Methods() {
		if m.Name() == name {
			return true
		}
	}
	return false
}

// fieldCase writes an access to a field as a call of a function of its own, which is
// the unit of work.
func (w *clientWriter) fieldCase(o operation, receiver string) (string, bool) {
	name := "read" + o.name
	if o.write {
		name = "write" + o.name
	}
	if !w.values.declared[name] {
		defer w.values.outside()()
		var b strings.Builder
		if o.write {
			value, ok := w.values.value(&b, o.field.Type(), nil, maxDepth)
			if !ok {
				w.uncalled = append(w.uncalled, "writing "+o.name)
				return "", false
			}
			fmt.Fprintf(&b, "x.%s = %s\n", o.name, value)
		} else {
			fmt.Fprintf(&b, "_ = x.%s\n", o.name)
		}
		w.values.declare(name, fmt.Sprintf("//empire:unit\nfunc %s(x *%s) {\n%s}\n\n", name, w.values.typeName(w.object),
			b.String()))
	}
	return name + "(" + receiver + ")\n", true
}
