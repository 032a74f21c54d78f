package multiplicity

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestBlocksInCycles compares with the definition, on random graphs.
func TestBlocksInCycles(t *testing.T) {
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 0))
		fn := &ssa.Function{}
		for i := range 1 + random.IntN(8) {
			fn.Blocks = append(fn.Blocks, &ssa.BasicBlock{Index: i})
		}
		for range random.IntN(14) {
			from, to := fn.Blocks[random.IntN(len(fn.Blocks))], fn.Blocks[random.IntN(len(fn.Blocks))]
			from.Succs, to.Preds = append(from.Succs, to), append(to.Preds, from)
		}
		in := blocksInCycles(fn)
		for _, b := range fn.Blocks {
			reached := map[*ssa.BasicBlock]bool{}
			var walk func(*ssa.BasicBlock)
			walk = func(from *ssa.BasicBlock) {
				for _, s := range from.Succs {
					if !reached[s] {
						reached[s] = true
						walk(s)
					}
				}
			}
			walk(b)
			if in[b] != reached[b] {
				t.Fatalf("seed %d: block %d is in a cycle: %v, want %v", seed, b.Index, in[b], reached[b])
			}
		}
	}
}
