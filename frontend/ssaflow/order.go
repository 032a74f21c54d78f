package ssaflow

import (
	"golang.org/x/tools/go/ssa"
)

// Precedes tells whether a comes before b on every way to b.
func Precedes(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, instr := range a.Block().Instrs {
		switch instr {
		case a:
			return true
		case b:
			return false
		}
	}
	return false
}

// MayFollow tells whether one instruction may be executed after another one of the function, in one call of it.
func MayFollow(later, earlier ssa.Instruction) bool {
	if later.Block() == earlier.Block() && Precedes(earlier, later) {
		return true
	}
	return BlockReaches(earlier.Block(), later.Block(), nil)
}

// BlockReaches tells whether control can go from the end of a block to another one
// without passing a third.
func BlockReaches(from, to, without *ssa.BasicBlock) bool {
	seen := make([]bool, len(from.Parent().Blocks)) // by index
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range b.Succs {
			if next == to {
				return true
			}
			if next != without && !seen[next.Index] {
				seen[next.Index] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// RepeatsWithout tells whether control can come back to the block without passing
// the block between.
func RepeatsWithout(block, between *ssa.BasicBlock) bool {
	return block != between && BlockReaches(block, block, between)
}
