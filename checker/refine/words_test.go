package refine

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestWords limits the words that are of interest to the length of the shortest one, and
// to less. One engine, which remembers what it has explored, is asked thrice.
func TestWords(t *testing.T) {
	late := 0
	for seed := range testmain.Count(400) {
		s := enginetest.Random(rand.New(rand.NewPCG(uint64(seed), 21)), enginetest.Small)
		engine, limits := New(), checker.Limits{Rounds: 6, States: 20000}
		answers := engine.Decide(context.Background(), s, limits)
		for _, less := range []int{0, 1} {
			limits.Words = make([]int, len(answers))
			for i, a := range answers {
				if limits.Words[i] = -1; a.Status == checker.Common {
					limits.Words[i] = len(a.Word) - less
				}
			}
			for i, b := range engine.Decide(context.Background(), s, limits) {
				a := answers[i]
				switch {
				case a.Status != checker.Common && b.Status != a.Status && b.Status != checker.Undecided,
					a.Status == checker.Common && b.Status == checker.Empty,
					a.Status == checker.Common && a.By != "bounded" && less == 0 &&
						(b.Status != checker.Common || len(b.Word) > len(a.Word)):
					t.Fatalf("seed %d, label %q: %v with %v, without limit %v with %v", seed, a.Label, b.Status, b.Word, a.Status,
						a.Word)
				}
				if a.Status == checker.Common && b.Status == checker.Undecided {
					late++
				}
			}
		}
	}
	if late == 0 {
		t.Error("no answer was cut short")
	}
}
