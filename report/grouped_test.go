package report

import (
	"slices"
	"testing"
)

func TestGrouped(t *testing.T) {
	for _, test := range []struct{ lines, want []string }{
		{nil, nil},
		{[]string{"A: x: why", "B: y: why", "C: other"}, []string{"A: x: why", "B: y: why", "C: other"}},
		{[]string{"A: x: why", "C: other", "B: y: why", "B: z: why", "D: why"},
			[]string{"A, B and D (--all lists each): why", "C: other"}},
		{[]string{"A: why", "B: why", "C: why", "D: why", "E: why", "F: why", "G: why"},
			[]string{"A, B, C, D, E and 2 more (--all lists each): why"}},
		{[]string{"A: v: why", "A: w: why", "A: x: why", "A: y: why"},
			[]string{"A: v: why", "A: w: why", "A: x: why", "A: y: why"}},
		{[]string{"why", "why so"}, []string{"why", "why so"}},
	} {
		if got := Grouped(test.lines); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.lines, got, test.want)
		}
	}
}
