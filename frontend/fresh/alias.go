package fresh

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// hasAlias tells whether another one of the values leads to the memory that the one
// at position leads to: by that it may be published.
func (a *Analysis) hasAlias(n *pointsto.Node, values []ssa.Value, position int) bool {
	return a.hasAliasGiven(n, values, position, 0)
}

// hasAliasGiven is hasAlias where the memory of some parameters, as bits, is fresh.
func (a *Analysis) hasAliasGiven(n *pointsto.Node, values []ssa.Value, position int, given uint64) bool {
	return a.leadsTo(n, values, position, a.rootsGiven(n, values[position], nil, given), given)
}

// leadsTo tells whether another value than the one at position leads to memory of the origin.
func (a *Analysis) leadsTo(n *pointsto.Node, values []ssa.Value, position int, origin origin, given uint64) bool {
	for root := range origin.roots {
		carriers, known := carriersOf(root)
		known = known && !origin.deep[root]
		for i, other := range values {
			if _, isConst := other.(*ssa.Const); i == position || isConst || !HoldsPointers(other.Type()) {
				continue
			}
			if _, same := a.rootsGiven(n, other, nil, given).roots[root]; same || !known || carriers[other] {
				return true
			}
		}
	}
	return false
}

// carriersOf returns the values of the function that may lead to what root made, as long as
// its address is in the hands of the function: addresses derived from it, of variables in
// which they are stored, and what is loaded from these. It is not known if they are stored
// elsewhere.
func carriersOf(root ssa.Value) (carriers map[ssa.Value]bool, known bool) {
	carriers = map[ssa.Value]bool{}
	work, holds := []ssa.Value{root}, map[ssa.Value]bool{} // what is loaded from there may be the address
	hold := func(v ssa.Value) {
		if HoldsPointers(v.Type()) && !holds[v] {
			work = append(work, v)
			holds[v] = true
		}
	}
	for i := 0; i < len(work); i++ {
		for _, v := range derived(work[i]) {
			carriers[v] = true
			if v.Referrers() == nil {
				continue
			}
			for _, r := range *v.Referrers() {
				switch r := r.(type) {
				case *ssa.Store:
					if r.Val != v {
						continue
					}
					variable, ok := placeOrElement(r.Addr)
					if !ok {
						return nil, false
					}
					hold(variable)
				case *ssa.MapUpdate:
					if r.Key == v || r.Value == v {
						return nil, false
					}
				case *ssa.UnOp, *ssa.Field, *ssa.Index, *ssa.Lookup, *ssa.Extract, *ssa.Range, *ssa.Next:
					if holds[work[i]] {
						hold(r.(ssa.Value))
					}
				}
			}
		}
	}
	return carriers, true
}
