package refine

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestLockHistories asks lock histories alone about random recursive threads with locks, and
// holds them against an explicit search.
func TestLockHistories(t *testing.T) {
	refuted, common, missed := 0, 0, 0
	for seed := range testmain.Count(60) {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		s := enginetest.Program(r, enginetest.Threads{
			Threads: 2 + r.IntN(2), Procedures: 1 + r.IntN(2), Nodes: 4 + r.IntN(5), Locks: 1 + r.IntN(3), Variables: 2,
			Patterns: 3, Recursive: true, Accesses: 0.6,
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		d := newDecision(ctx, s, checker.Limits{})
		if err := d.approximate(); err != nil {
			t.Fatal(err)
		}
		d.run([]method{lockHistories{}})
		cancel()
		found, complete := enginetest.Explore(s, 6, 3000)
		for i, a := range d.answers {
			_, has := found[d.labels.Names[i]]
			switch {
			case has && a.Status == checker.Empty:
				t.Fatalf("seed %d: %q is refuted, but has a word", seed, a.Label)
			case has:
				common++
			case a.Status == checker.Empty:
				refuted++
			case complete:
				missed++
			}
		}
	}
	t.Logf("%d refuted, %d have a word, %d not refuted although they have none", refuted, common, missed)
	if refuted < 40 || common < 40 {
		t.Errorf("%d refuted, %d have a word: too few to compare", refuted, common)
	}
}
