package fresh

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// IsKeptOnlyBy tells whether a value made in this function is stored, captured or
// handed on by no instruction but one, a store or an update of a map. Uses that only look
// at the memory, or fill it, do not count.
func IsKeptOnlyBy(v ssa.Value, by ssa.Instruction) bool {
	return isKeptOnlyBy(v, by, nil, map[ssa.Value]bool{})
}

// isKeptOnlyBy is IsKeptOnlyBy, where those in seen are looked at already: slices
// that grow in a loop are made of each other. Calls for which isHarmless holds do not count
// either, if it is not nil.
func isKeptOnlyBy(v ssa.Value, by ssa.Instruction, isHarmless func(*ssa.Call, ssa.Value) bool,
	seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if v.Referrers() == nil || by.Parent() != v.Parent() {
		return false
	}
	from := v.Parent().Blocks[0] // of a parameter
	if made, ok := v.(ssa.Instruction); ok {
		from = made.Block()
	} else if _, ok := v.(*ssa.Parameter); !ok {
		return false
	}
	if ssaflow.RepeatsWithout(by.Block(), from) {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == v && r != by {
				return false
			}
		case *ssa.MapUpdate:
			if r.Key == v || r.Value == v && r != by {
				return false
			}
		case *ssa.Lookup, *ssa.Range:
		case *ssa.UnOp: // loads what is in the memory, not its address
		case *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Slice, *ssa.Phi, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType:
			if !isKeptOnlyBy(r.(ssa.Value), by, isHarmless, seen) {
				return false
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok {
				if b.Name() == "append" && (r.Call.Args[0] != v || !isKeptOnlyBy(r, by, isHarmless, seen)) {
					return false
				}
			} else if r != by && (isHarmless == nil || !isHarmless(r, v)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
