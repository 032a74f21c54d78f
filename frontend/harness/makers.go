package harness

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maker is a way to make the object.
type maker struct {
	fn  *types.Func // nil: the zero value
	pos token.Pos
	on  types.Type // of a method: what it is called on; nil for a function
}

// isFunction tells whether it is a function that returns the object.
func (m maker) isFunction() bool { return m.fn != nil && m.on == nil }

// findMakers returns the exported functions that return the object. Of those that
// return an interface it is the ones that evidently may return the object in it. If
// there are none, clients make its zero value, and fill in what is exported, if they can
// write the type; else all functions are tried that return an interface which may hold the object.
func (w *clientWriter) findMakers() []maker {
	var all, others []maker
	isMadeInside := false // by a constructor that clients do not call
	for _, fn := range exportedFunctions(w.loaded, w.packages) {
		signature, ok := instantiated(fn, w.object)
		if !ok {
			continue
		}
		at := w.madeResult(fn, signature)
		switch {
		case at >= 0 && !w.isOffered(fn):
			isMadeInside = true
		case at < 0 || w.takesItself(signature) || looksUp(w.program.FuncValue(fn), at):
		case !types.IsInterface(signature.Results().At(at).Type()) ||
			w.returnsObject(w.program.FuncValue(fn), at, map[*ssa.Function]bool{}):
			all = append(all, maker{fn: fn, pos: fn.Pos()})
		default:
			others = append(others, maker{fn: fn, pos: fn.Pos()})
		}
	}
	switch {
	case len(all) > 0:
		return all
	case w.named.Obj().Exported() && !isMadeInside && !w.hasHiddenMaker():
		return w.zeroValue()
	}
	return slices.DeleteFunc(others, func(m maker) bool {
		signature, _ := instantiated(m.fn, w.object)
		return !w.mayHold(signature.Results().At(w.madeResult(m.fn, signature)).Type())
	})
}

// looksUp tells whether a function evidently makes no object: what it returns was in an argument, as a context.
func looksUp(fn *ssa.Function, result int) bool {
	if fn == nil {
		return false
	}
	isFound := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if c, ok := ret.Results[result].(*ssa.Const); ok && c.IsNil() {
			continue
		}
		if !isFromArgument(ret.Results[result]) {
			return false
		}
		isFound = true
	}
	return isFound
}

// isFromArgument tells whether a value is asserted to be of a type, of what a call has found in a parameter.
func isFromArgument(v ssa.Value) bool {
	if e, ok := v.(*ssa.Extract); ok && e.Index == 0 {
		v = e.Tuple
	}
	asserted, ok := v.(*ssa.TypeAssert)
	if !ok {
		return false
	}
	call, ok := asserted.X.(*ssa.Call)
	if !ok {
		return false
	}
	isParameter := func(v ssa.Value) bool { _, is := v.(*ssa.Parameter); return is }
	return isParameter(call.Call.Value) || slices.ContainsFunc(call.Call.Args, isParameter)
}

// zeroValue returns how clients make the object that can only write its type.
func (w *clientWriter) zeroValue() []maker {
	object, _ := w.object.(*types.Named)
	isInstance := object == nil || object.TypeParams().Len() == object.TypeArgs().Len() // of a generic type
	if !w.named.Obj().Exported() || w.config.Constructed || !isInstance {
		return nil
	}
	return []maker{{pos: w.named.Obj().Pos()}}
}

// hasHiddenMaker tells whether its package makes the object by a function that it does not export, as a session
// makes streams: then the zero value is not what clients have, if they can get it in another way.
func (w *clientWriter) hasHiddenMaker() bool {
	returnsIt := func(s *types.Signature) bool {
		for v := range s.Results().Variables() {
			if w.isItself(v.Type()) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(declaredIn(w.loaded, w.named.Obj().Pkg()).functions, func(fn *types.Func) bool {
		return !fn.Exported() && fn.Signature().Recv() == nil && returnsIt(fn.Signature())
	})
}

// makersOfOthers returns the exported methods of other types that return the object: a dialer makes
// connections.
func (w *clientWriter) makersOfOthers() []maker {
	var all []maker
	w.eachMethodOfOthers(func(on types.Type, fn *types.Func, signature *types.Signature) {
		at := w.madeResult(fn, signature)
		if at >= 0 && (!types.IsInterface(signature.Results().At(at).Type()) ||
			w.returnsObject(w.program.FuncValue(fn.Origin()), at, map[*ssa.Function]bool{})) {
			all = append(all, maker{fn: fn, pos: fn.Pos(), on: on})
		}
	})
	return all
}

// madeResult returns which result of a function is the object: by its type, see resultIndex, or an
// interface of whatever package that evidently holds the object; -1 if none is.
func (w *clientWriter) madeResult(fn *types.Func, s *types.Signature) int {
	if at := w.resultIndex(s); at >= 0 {
		return at
	}
	for i := range s.Results().Len() {
		if types.IsInterface(s.Results().At(i).Type()) &&
			w.returnsObject(w.program.FuncValue(fn.Origin()), i, map[*ssa.Function]bool{}) {
			return i
		}
	}
	return -1
}

// returnsObject tells whether a result of a function is evidently an interface with the
// object in it, made there or in a function that it calls.
func (w *clientWriter) returnsObject(fn *ssa.Function, result int, seen map[*ssa.Function]bool) bool {
	if fn == nil || seen[fn] {
		return false
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok &&
			w.holdsObject(ret.Results[result], map[ssa.Value]bool{}, seen) {
			return true
		}
	}
	return false
}

// holdsObject is returnsObject for a value.
func (w *clientWriter) holdsObject(v ssa.Value, values map[ssa.Value]bool, seen map[*ssa.Function]bool) bool {
	if values[v] {
		return false
	}
	values[v] = true
	switch v := v.(type) {
	case *ssa.MakeInterface:
		made := namedOf(v.X.Type())
		return made != nil && made.Origin().Obj() == w.named.Obj()
	case *ssa.ChangeInterface:
		return w.holdsObject(v.X, values, seen)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if w.holdsObject(e, values, seen) {
				return true
			}
		}
	case *ssa.Call:
		return w.returnsObject(v.Call.StaticCallee(), 0, seen)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return w.returnsObject(call.Call.StaticCallee(), v.Index, seen)
		}
	}
	return false
}

// handsBack tells whether a method returns its receiver, as those do that are meant to be
// called in a chain: b.WithLimit(3).WithTimeout(time.Second).
func (w *clientWriter) handsBack(fn *ssa.Function, result int) bool {
	if fn == nil || fn.Signature.Recv() == nil {
		return false
	}
	returns := 0
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			returns++
			if !isReceiver(ret.Results[result], fn, map[ssa.Value]bool{}) {
				return false
			}
		}
	}
	return returns > 0
}

// isReceiver tells whether a value is the receiver of a method, or a variable that nothing
// else is stored to: a result while deferred calls run.
func isReceiver(v ssa.Value, fn *ssa.Function, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	if v == ssa.Value(fn.Params[0]) {
		return true
	}
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	cell, ok := load.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	stores := 0
	for _, user := range *cell.Referrers() {
		if store, ok := user.(*ssa.Store); ok && store.Addr == ssa.Value(cell) {
			if stores++; !isReceiver(store.Val, fn, seen) {
				return false
			}
		}
	}
	return stores > 0
}
