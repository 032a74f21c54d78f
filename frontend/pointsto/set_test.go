package pointsto

import (
	"math/rand"
	"slices"
	"testing"
)

// TestSet compares the bit set with a map on random operations.
func TestSet(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 2000 {
		a, b := map[uint32]bool{}, map[uint32]bool{}
		var s, u set
		limit := 1 + random.Intn(2000)
		for range random.Intn(60) {
			x := uint32(random.Intn(limit))
			if s.add(x) == a[x] {
				t.Fatalf("add(%d) reports the wrong thing", x)
			}
			a[x] = true
			y := uint32(random.Intn(limit))
			u.add(y)
			b[y] = true
		}
		difference := u.minus(s, nil)
		for x := range uint32(limit) {
			if s.has(x) != a[x] || difference.has(x) != (b[x] && !a[x]) {
				t.Fatalf("wrong membership of %d", x)
			}
		}
		other := s.clone()
		if added := other.absorb(u, set{{1, 1}}); !added.equal(difference) {
			t.Fatalf("absorbing adds %v, want %v", added, difference)
		}
		if s.union(u); !other.equal(s) {
			t.Fatalf("absorb and union differ: %v, %v", other, s)
		}
		for x := range b {
			a[x] = true
		}
		if s.len() != len(a) || !slices.IsSorted(slices.Collect(s.all)) {
			t.Fatalf("union has %d elements, want %d", s.len(), len(a))
		}
		for x := range s.all {
			if !a[x] {
				t.Fatalf("%d should not be in the union", x)
			}
		}
	}
}
