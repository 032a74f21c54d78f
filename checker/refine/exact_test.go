package refine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/witness"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestWithoutRecursion: systems without recursion are decided, all of them, also where their
// components were too large to be inlined, and words are shortest ones.
func TestWithoutRecursion(t *testing.T) {
	by := map[string]int{}
	for seed := range testmain.Count(60) {
		r := rand.New(rand.NewPCG(uint64(seed), 31))
		s := enginetest.Program(r, enginetest.Threads{
			Threads: 2, Procedures: 1 + r.IntN(3), Nodes: 3 + r.IntN(4), Locks: r.IntN(3), Variables: 2, Patterns: 3,
			Accesses: 0.5,
		})
		found, complete := enginetest.Explore(s, 8, 4000)
		for _, size := range []int{inlineLimit, 2, 0} {
			for _, a := range decideMerged(t, s, size) {
				by[fmt.Sprint(size, " ", a.Status, " ", a.By)]++
				length, has := found[a.Label]
				if err := witness.Verify(s, a); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if a.Status == checker.Undecided || a.Status == checker.Empty && has ||
					complete && a.Status == checker.Common && len(a.Word) != length {
					t.Fatalf("seed %d, merged above %d: %v by %s%s, a word of length %d; explicit search: %v, length %d", seed, size,
						a.Status, a.By, a.Reason, len(a.Word), has, length)
				}
			}
		}
	}
	t.Log(by)
}

// decideMerged decides a system whose components are approximated as if fragments with more
// states than the size were too large.
func decideMerged(t *testing.T, s *cpds.System, size int) []checker.Answer {
	d := newDecision(t.Context(), s, checker.Limits{})
	if err := d.approximate(); err != nil {
		t.Fatal(err)
	}
	if d.recursive() {
		t.Fatal("a system without recursion has some")
	}
	for _, p := range d.processes {
		if err := d.saturate(d.ctx, p); err != nil {
			t.Fatal(err)
		}
		c := *p.builder
		if err := c.mergeLarge(size, 0); err != nil {
			t.Fatal(err)
		}
		a, err := c.build(true, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		p.automaton, p.exact = a, !c.recursive()
	}
	return d.finish(d.run(d.portfolio()))
}
