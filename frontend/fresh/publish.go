package fresh

import "golang.org/x/tools/go/ssa"

// MayPublish tells whether the instruction may make memory reachable for others.
func MayPublish(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Store:
		return HoldsPointers(v.Val.Type())
	case *ssa.MapUpdate:
		return HoldsPointers(v.Key.Type()) || HoldsPointers(v.Value.Type())
	}
	return false
}
