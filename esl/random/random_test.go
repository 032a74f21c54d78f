package random_test

import (
	"context"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
)

// TestDistribution keeps the programs interesting: all valid, nearly all small
// enough to explore, and about as many with a violation as without.
func TestDistribution(t *testing.T) {
	const n = 300
	var violations, complete, races, statements int
	for seed := range uint64(n) {
		p := random.Program(seed, random.Shape{})
		if err := esl.Validate(p); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, p)
		}
		x := interp.Explore(context.Background(), p, interp.Bounds{States: 200_000})
		if x.Complete {
			complete++
		}
		if len(x.Occurrences) > 0 {
			violations++
		}
		if len(x.Races) > 0 {
			races++
		}
		for _, f := range p.Functions {
			statements += len(f.Body)
		}
	}
	t.Logf("%d programs: %d with a violation, %d with a race, %d explored in full, %d statements on average",
		n, violations, races, complete, statements/n)
	if complete < n*95/100 || violations < n*35/100 || violations > n*65/100 {
		t.Errorf("of %d programs %d have a violation and %d were explored in full; want about half, and nearly all", n,
			violations, complete)
	}
}
