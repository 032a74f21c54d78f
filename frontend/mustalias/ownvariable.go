package mustalias

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A local variable that the SSA form keeps in memory, because it is a struct or a
// result of a function with deferred calls, may be used by its function alone. Then
// what is loaded from it is what the function stored there.

// variableOf returns the store that gives the variable that is loaded, or a part of
// it, its value, if there is one that comes before; else nil.
func (m *Matcher) variableOf(load *ssa.UnOp) *ssa.Store {
	variable := ssaflow.OwnVariableOf(load.X)
	if variable == nil {
		return nil
	}
	store := ssaflow.OnlyStore(variable)
	if store == nil || !m.StrictlyDominates(m.At[store], m.At[load]) {
		return nil
	}
	return store
}

// samePart compares the same part of what two stores gave two variables.
func (m *Matcher) samePart(a, b ssa.Value, first, second *ssa.Store) bool {
	x, isPart := a.(*ssa.FieldAddr)
	y, alsoPart := b.(*ssa.FieldAddr)
	if isPart || alsoPart {
		return isPart && alsoPart && x.Field == y.Field && m.samePart(x.X, y.X, first, second)
	}
	return m.equal(first.Val, second.Val)
}
