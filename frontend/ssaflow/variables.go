package ssaflow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// IsCaptured tells whether a closure knows the variable.
func IsCaptured(a *ssa.Alloc) bool {
	return slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool { _, ok := r.(*ssa.MakeClosure); return ok })
}

// IsOwnVariable tells whether only the activation itself stores to the variable, or
// parts of it, and loads from it.
func IsOwnVariable(a *ssa.Alloc) bool {
	_, ok := ownStores(a)
	return ok
}

// ownStores returns the stores to the variable and its parts; ok is false if its
// address is used for anything but these and loads.
func ownStores(a *ssa.Alloc) (stores []*ssa.Store, ok bool) {
	work := []ssa.Value{a}
	for len(work) > 0 {
		address := work[0]
		work = work[1:]
		for _, r := range *address.Referrers() {
			switch r := r.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.FieldAddr:
				work = append(work, r)
			case *ssa.Store:
				if r.Val == address {
					return nil, false
				}
				stores = append(stores, r)
			default:
				return nil, false
			}
		}
	}
	return stores, true
}

// OnlyStore returns the store that gives the variable its value as a whole, if there
// is no other one, else nil.
func OnlyStore(a *ssa.Alloc) *ssa.Store {
	stores, ok := ownStores(a)
	if !ok || len(stores) != 1 || stores[0].Addr != ssa.Value(a) {
		return nil
	}
	return stores[0]
}

// OwnVariableOf returns the variable of its own function that an address is of, or of
// a part of, nil if it is none.
func OwnVariableOf(address ssa.Value) *ssa.Alloc {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.Alloc:
			if IsOwnVariable(v) {
				return v
			}
			return nil
		default:
			return nil
		}
	}
}

// IsStoredAgain tells whether the store to the variable can be executed twice for
// one execution of its declaration: the variable lives around a loop.
func IsStoredAgain(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		if store, ok := r.(*ssa.Store); ok && store.Addr == a && RepeatsWithout(store.Block(), a.Block()) {
			return true
		}
	}
	return false
}

// maxLent bounds how many calls deep the address of a variable is followed.
const maxLent = 4

// OnlyLoaded tells whether the address v is only loaded from, stored to, captured by
// closures that only load it, and handed to functions that only load it, as the
// receiver of a method of a map type is. It counts the stores.
func OnlyLoaded(v ssa.Value, stores *int) bool { return isOnlyLoaded(v, stores, maxLent) }

func isOnlyLoaded(v ssa.Value, stores *int, depth int) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != v || r.Val == v {
				return false
			}
			if _, isAlloc := v.(*ssa.Alloc); !isAlloc {
				return false
			}
			*stores++
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == v && !isOnlyLoaded(r.Fn.(*ssa.Function).FreeVars[i], stores, depth) {
					return false
				}
			}
		case ssa.CallInstruction:
			if !isLentTo(r, v, stores, depth) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isLentTo tells whether the function that is called is known, and only loads from
// the address among its arguments.
func isLentTo(call ssa.CallInstruction, address ssa.Value, stores *int, depth int) bool {
	callee := call.Common().StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 || depth == 0 {
		return false
	}
	for i, a := range call.Common().Args {
		if a == address && !isOnlyLoaded(callee.Params[i], stores, depth-1) {
			return false
		}
	}
	return true
}

// IsFieldOfLocal tells whether the address is that of a variable that the function allocates,
// or of a field of one.
func IsFieldOfLocal(address ssa.Value) bool {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.Alloc:
			return true
		default:
			return false
		}
	}
}
