package gaps

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCover compares the sets that are found with all smaller ones: they cover all gaps, and no smaller set does.
func TestCover(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		points, open := 2+r.IntN(7), []*Gap(nil)
		for range 1 + r.IntN(7) {
			g := &Gap{}
			for _, p := range r.Perm(points)[:1+r.IntN(points)] {
				g.Points = append(g.Points, Point{Pos: fmt.Sprint(p), depth: r.IntN(3)})
			}
			open = append(open, g)
		}
		got, least := cover(open)
		chosen := 0
		for _, y := range got {
			var p int
			fmt.Sscan(y.Pos, &p)
			chosen |= 1 << p
		}
		if !covers(open, chosen) || !least {
			t.Fatalf("seed %d: %b does not cover, or %t", seed, chosen, least)
		}
		for set := range 1 << points {
			if bits(set) < len(got) && covers(open, set) {
				t.Fatalf("seed %d: %d yields, but %b is enough", seed, len(got), set)
			}
		}
	}
}

func bits(set int) (n int) {
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

func covers(open []*Gap, set int) bool {
	return !slices.ContainsFunc(open, func(g *Gap) bool {
		return !slices.ContainsFunc(g.Points, func(p Point) bool {
			var n int
			fmt.Sscan(p.Pos, &n)
			return set&(1<<n) != 0
		})
	})
}
