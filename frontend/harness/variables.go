package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// withVariable adds clients that call the exported functions, where a package variable holds an object of
// the type, or leads to one, and no client has it.
func withVariable(p *load.Program, t *types.Named, c ClientConfig, all []Entry) []Entry {
	if slices.ContainsFunc(all, func(e Entry) bool { return e.clients.handsOutVariable() }) {
		return all
	}
	callers := newClientWriter(p, nil, c)
	if !hasVariable(p, callers.packages, t) || !callers.writeCallers() {
		return all
	}
	e, err := callers.callersEntry(p)
	if err != nil {
		return all
	}
	e.Type = t
	return append(all, e)
}

// hasVariable tells whether a package variable is of type t, or leads to one.
func hasVariable(p *load.Program, packages []*types.Package, t *types.Named) bool {
	for _, pkg := range packages {
		for _, o := range declaredIn(p, pkg).objects {
			if v, ok := o.(*types.Var); ok && leadsTo(v.Type(), t) {
				return true
			}
		}
	}
	return false
}

// functionsOnVariables returns the exported functions that clients call as well where an object may be
// one that a package variable holds: they may use it without being handed it.
func (w *clientWriter) functionsOnVariables(known []operation) []operation {
	if !hasVariable(w.loaded, w.packages, w.named) && !w.handsOutVariable() {
		return nil
	}
	var all []operation
	for _, fn := range exportedFunctions(w.loaded, w.packages) {
		signature, ok := instantiated(fn, w.object)
		if ok && w.isOffered(fn) && !w.takesObject(signature) && w.resultIndex(signature) < 0 &&
			!slices.ContainsFunc(known, func(o operation) bool { return o.fn == fn }) {
			all = append(all, operation{name: fn.Name(), fn: fn, sig: signature})
		}
	}
	return all
}

// handsOutVariable tells whether what makes the object may return one that a package variable holds.
func (w *clientWriter) handsOutVariable() bool {
	return slices.ContainsFunc(w.makers, func(m maker) bool {
		if m.fn == nil {
			return false
		}
		fn := w.program.FuncValue(m.fn.Origin())
		return fn != nil && fromVariable(fn, w.madeResult(m.fn, m.fn.Signature()), map[ssa.Value]bool{})
	})
}

// fromVariable tells whether a result of a function may come from a package variable.
func fromVariable(fn *ssa.Function, result int, seen map[ssa.Value]bool) bool {
	if fn == nil || seen[fn] || result < 0 {
		return false
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && isFromVariable(ret.Results[result], seen) {
			return true
		}
	}
	return false
}

// isFromVariable is fromVariable for a value.
func isFromVariable(v ssa.Value, seen map[ssa.Value]bool) bool {
	if v == nil || seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Global:
		return true
	case *ssa.Alloc: // an object made here, or a variable that holds a result
		if _, isStruct := v.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); isStruct {
			return false
		}
		for _, user := range *v.Referrers() {
			if store, ok := user.(*ssa.Store); ok && store.Addr == ssa.Value(v) && isFromVariable(store.Val, seen) {
				return true
			}
		}
		return false
	case *ssa.Call:
		if slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool { _, ok := a.(*ssa.Global); return ok }) {
			return true
		}
		return fromVariable(v.Call.StaticCallee(), 0, seen)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return fromVariable(call.Call.StaticCallee(), v.Index, seen)
		}
		return isFromVariable(v.Tuple, seen)
	case *ssa.MakeClosure, *ssa.BinOp, *ssa.Const:
		return false
	case ssa.Instruction:
		for _, operand := range v.Operands(nil) {
			if *operand != nil && isFromVariable(*operand, seen) {
				return true
			}
		}
	}
	return false
}
