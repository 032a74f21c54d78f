package fresh

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Grows reports which argument of a call its result i is made of, as that of append is: the
// slice that was passed, a part of it, or memory that is made for the caller, and the function
// keeps neither, as strconv.AppendInt or slices.Delete. Linear in the size of what is called.
func (a *Analysis) Grows(call *ssa.Call, i int) (argument ssa.Value, ok bool) {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return nil, false
	}
	parameter := a.grown(resultKey{fn, i, -1, false})
	if parameter < 0 || parameter >= len(call.Call.Args) {
		return nil, false
	}
	return call.Call.Args[parameter], true
}

// grown returns the number of the parameter that a result is made of, -1 if there is none.
func (a *Analysis) grown(key resultKey) int {
	if known, ok := a.growths[key]; ok {
		return known
	}
	a.growths[key] = -1 // while it is being found out
	fn := key.function
	if len(fn.Blocks) == 0 || a.isHuge(fn) {
		return -1
	}
	found := map[ssa.Value]bool{}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if key.result >= len(ret.Results) || !a.grownFrom(ret.Results[key.result], found) {
			return -1
		}
	}
	parameter := -1
	for v := range found {
		p, isParameter := v.(*ssa.Parameter)
		if !isParameter {
			continue
		}
		if parameter >= 0 {
			return -1 // of either of two
		}
		parameter = slices.Index(fn.Params, p)
	}
	for v := range found {
		if a.mayKeepSlice(v, found) {
			return -1
		}
	}
	a.growths[key] = parameter
	return parameter
}

// grownFrom adds the slices that a slice is made of, itself among them. It reports whether
// each comes from a parameter, or is made here.
func (a *Analysis) grownFrom(v ssa.Value, found map[ssa.Value]bool) bool {
	if found[v] {
		return true
	}
	found[v] = true
	switch v := v.(type) {
	case *ssa.Const, *ssa.Parameter, *ssa.MakeSlice:
		return true
	case *ssa.Slice:
		return isSlice(v.X.Type()) && a.grownFrom(v.X, found)
	case *ssa.ChangeType:
		return a.grownFrom(v.X, found)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !a.grownFrom(e, found) })
	case *ssa.Call:
		return a.calledWith(v, 0, found)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && a.calledWith(call, v.Index, found)
	}
	return false
}

// calledWith is grownFrom for the result of a call.
func (a *Analysis) calledWith(call *ssa.Call, i int, found map[ssa.Value]bool) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" && a.grownFrom(call.Call.Args[0], found)
	}
	argument, ok := a.Grows(call, i)
	return ok && a.grownFrom(argument, found)
}

// mayKeepSlice tells whether the function may do more with a slice than to read and write what
// is in it, and to make another one of those that were found of it.
func (a *Analysis) mayKeepSlice(v ssa.Value, found map[ssa.Value]bool) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Return, *ssa.BinOp:
		case *ssa.IndexAddr:
			if !isOnlyAccessed(r) {
				return true
			}
		case *ssa.Convert: // to a string, which is a copy
			if isSlice(r.Type()) {
				return true
			}
		case *ssa.Slice, *ssa.Phi, *ssa.ChangeType:
			if !found[r.(ssa.Value)] && a.mayKeepSlice(r.(ssa.Value), with(found, r.(ssa.Value))) {
				return true
			}
		case *ssa.Call:
			if !a.isOnlyGrown(r, v, found) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// with adds a value to a set.
func with(set map[ssa.Value]bool, v ssa.Value) map[ssa.Value]bool {
	set[v] = true
	return set
}

// isOnlyGrown tells whether a call with the slice does nothing with it but make another one of
// those that were found, or copy what is in it.
func (a *Analysis) isOnlyGrown(call *ssa.Call, v ssa.Value, found map[ssa.Value]bool) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			return call.Call.Args[0] != v || found[call] || !a.mayKeepSlice(call, with(found, call))
		case "len", "cap", "copy", "clear":
			return true
		}
		return false
	}
	fn := call.Call.StaticCallee()
	if fn == nil || len(fn.Params) != len(call.Call.Args) {
		return false
	}
	for position, argument := range call.Call.Args {
		if argument != v || !a.keeps(fn, position, false) {
			continue
		}
		for i := range fn.Signature.Results().Len() {
			if a.grown(resultKey{fn, i, -1, false}) == position && a.isResultFound(call, i, found) {
				return true
			}
		}
		return false
	}
	return true
}

// isResultFound tells whether result i of a call is one of those that were found.
func (a *Analysis) isResultFound(call *ssa.Call, i int, found map[ssa.Value]bool) bool {
	if call.Call.Signature().Results().Len() == 1 {
		return found[call]
	}
	return !slices.ContainsFunc(*call.Referrers(), func(r ssa.Instruction) bool {
		part, ok := r.(*ssa.Extract)
		return ok && part.Index == i && !found[part]
	})
}

// isOnlyAccessed tells whether the address of an element is used for loads and stores only.
func isOnlyAccessed(element *ssa.IndexAddr) bool {
	return !slices.ContainsFunc(*element.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.UnOp:
			return r.Op != token.MUL
		case *ssa.Store:
			return r.Addr != ssa.Value(element)
		}
		return true
	})
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}
