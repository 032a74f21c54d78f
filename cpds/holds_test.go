package cpds

import (
	"context"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/esl/random"
)

// TestHoldsOfTouched: functions that do not touch a lock do to the count what is found out by looking at them.
func TestHoldsOfTouched(t *testing.T) {
	for seed := range uint64(2000) {
		p := random.Program(seed+21_000_000, random.Shape{Recursion: 0.3})
		calls := newCalls(p)
		all := slices.Repeat([]bool{true}, len(p.Functions))
		for l := range p.Locks {
			for how := range modes {
				some, err := newHoldAnalysis(context.Background(), p, l, how, calls.touching(l), calls.returns)
				if err != nil {
					t.Fatal(err)
				}
				looked, err := newHoldAnalysis(context.Background(), p, l, how, all, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(some.returns, looked.returns) {
					t.Fatalf("seed %d, lock %d, mode %d: %v, by looking at each function %v", seed, l, how, some.returns,
						looked.returns)
				}
			}
		}
	}
}
