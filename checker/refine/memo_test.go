package refine

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestMemo asks an engine about systems that differ in one symbol or action of one rule
// only: the answers are those of one that remembers nothing.
func TestMemo(t *testing.T) {
	engine := New()
	for seed := range testmain.Count(300) {
		r := rand.New(rand.NewPCG(uint64(seed), 31))
		s := enginetest.Random(r, enginetest.Small)
		for range 4 {
			limits := checker.Limits{Rounds: 3, States: 5000}
			got := engine.Decide(context.Background(), s, limits)
			if diff := cmp.Diff(New().Decide(context.Background(), s, limits), got); diff != "" {
				t.Fatalf("seed %d: -new +used\n%s", seed, diff)
			}
			c := s.Components[r.IntN(len(s.Components))]
			switch rule := &c.Rules[r.IntN(len(c.Rules))]; {
			case r.IntN(2) == 0 && len(rule.Push) > 0:
				rule.Push[r.IntN(len(rule.Push))] = r.IntN(len(c.Symbols))
			case len(c.Alphabet) > 0:
				rule.Action = c.Alphabet[r.IntN(len(c.Alphabet))]
			}
		}
	}
}
