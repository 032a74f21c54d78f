package refine

import (
	"context"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/checker"
)

// TestStubborn: a search that takes only letters of stubborn sets finds a word for the same
// labels, of the same lengths, as one that takes all.
func TestStubborn(t *testing.T) {
	before, after := 0, 0
	for _, s := range searched(t) {
		d := newDecision(context.Background(), s, checker.Limits{})
		if err := d.approximate(); err != nil {
			t.Fatal(err)
		}
		whole := d.newProduct(d.automata())
		whole.stubborn.off = true
		all, n := lengthsIn(t, d, whole)
		some, m := lengthsIn(t, d, d.newProduct(d.automata()))
		if !slices.Equal(all, some) {
			t.Fatalf("%s: lengths %v, with stubborn sets %v", s.Name, all, some)
		}
		before, after = before+n, after+m
	}
	t.Logf("%d states, with stubborn sets %d", before, after)
	if after > before*9/10 {
		t.Errorf("%d states, with stubborn sets %d", before, after)
	}
}
