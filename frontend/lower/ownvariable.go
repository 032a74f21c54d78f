package lower

import (
	"golang.org/x/tools/go/ssa"
)

// A local variable that the SSA form keeps in memory, because it is a struct or a
// result of a function with deferred calls, may be used by its function alone. Then
// what is loaded from it is what the function stored there.

// isOwnVariable tells whether only the activation itself stores to the variable, or
// parts of it, and loads from it.
func isOwnVariable(a *ssa.Alloc) bool {
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

// onlyStore returns the store that gives the variable its value as a whole, if there
// is no other one, else nil.
func onlyStore(a *ssa.Alloc) *ssa.Store {
	stores, ok := ownStores(a)
	if !ok || len(stores) != 1 || stores[0].Addr != ssa.Value(a) {
		return nil
	}
	return stores[0]
}

// ownVariableOf returns the variable of its own function that an address is of, or of
// a part of, nil if it is none.
func ownVariableOf(address ssa.Value) *ssa.Alloc {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.Alloc:
			if isOwnVariable(v) {
				return v
			}
			return nil
		default:
			return nil
		}
	}
}

// variableOf returns the store that gives the variable that is loaded, or a part of
// it, its value, if there is one that comes before; else nil.
func (m *matcher) variableOf(load *ssa.UnOp) *ssa.Store {
	variable := ownVariableOf(load.X)
	if variable == nil {
		return nil
	}
	store := onlyStore(variable)
	if store == nil || !m.strictlyDominates(m.at[store], m.at[load]) {
		return nil
	}
	return store
}

// samePart compares the same part of what two stores gave two variables.
func (m *matcher) samePart(a, b ssa.Value, first, second *ssa.Store) bool {
	x, isPart := a.(*ssa.FieldAddr)
	y, alsoPart := b.(*ssa.FieldAddr)
	if isPart || alsoPart {
		return isPart && alsoPart && x.Field == y.Field && m.samePart(x.X, y.X, first, second)
	}
	return m.equal(first.Val, second.Val)
}
