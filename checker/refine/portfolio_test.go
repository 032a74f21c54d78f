package refine

import (
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
)

// TestTurns: a product with more states than a turn may have does not keep the other methods
// from their turns, and is explored in the end.
func TestTurns(t *testing.T) {
	shape := enginetest.Threads{Threads: 3, Procedures: 4, Nodes: 8, Locks: 1, Variables: 2, Patterns: 3, Accesses: 0.6,
		Recursive: true}
	postponed := 0
	for seed := range uint64(40) {
		s := enginetest.Program(rand.New(rand.NewPCG(seed, 41)), shape)
		decide := func(first int) (*regular, []checker.Answer) {
			d := newDecision(t.Context(), s, checker.Limits{Rounds: 30, States: 200_000})
			if err := d.approximate(); err != nil {
				t.Fatal(err)
			}
			r := &regular{states: first}
			return r, d.finish(d.run([]method{r}))
		}
		r, some := decide(4)
		_, all := decide(regularStates)
		if r.attempt > 0 {
			postponed++
		}
		for i := range all {
			if some[i].Status != all[i].Status || len(some[i].Word) != len(all[i].Word) {
				t.Errorf("seed %d: %v of length %d in small turns, %v of length %d in large ones", seed, some[i].Status,
					len(some[i].Word), all[i].Status, len(all[i].Word))
			}
		}
	}
	if postponed < 10 {
		t.Errorf("only %d products were too large for a turn", postponed)
	}
}
