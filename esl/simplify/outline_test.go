package simplify_test

import (
	"slices"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/esl/simplify"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestOneForAll compares random programs with what becomes of them where one process stands for all that have copies,
// with as many copies as they have together: explored in full by the interpreter, what occurs before occurs after.
// EMPIRE_LONG=n multiplies the programs.
func TestOneForAll(t *testing.T) {
	n := testmain.Count(40)
	compared, occurring := 0, 0
	for seed := range uint64(n) {
		p := random.Program(seed, random.Shape{Processes: 3})
		copies := 0
		for i := range p.Processes {
			if q := &p.Processes[i]; !q.Initial {
				q.Copies = 2
				copies += q.Copies
			}
		}
		q := simplify.OneForAll(p, "any")
		if q == p {
			continue
		}
		q.Processes[len(q.Processes)-1].Copies = copies
		if err := esl.Validate(q); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(q))
		}
		before, ok1 := outcomes(p)
		after, ok2 := outcomes(q)
		if !ok1 || !ok2 {
			continue
		}
		compared++
		occurring += len(before)
		for _, what := range before {
			if !slices.Contains(after, what) {
				t.Errorf("seed %d: %s is lost\n%s\n%s", seed, what, text(p), text(q))
			}
		}
	}
	t.Logf("%d of %d programs compared, in which %d things occur", compared, n, occurring)
	if compared < n/10 {
		t.Errorf("only %d of %d programs were explored in full", compared, n)
	}
}
