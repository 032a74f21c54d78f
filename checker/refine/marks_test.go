package refine

import (
	"math/rand"
	"testing"
)

// TestMarks looks up what was added, and counts what is taken for that.
func TestMarks(t *testing.T) {
	const slots = 1 << 12
	random, m := rand.New(rand.NewSource(1)), marksFor(slots)
	for range 2 {
		var added []uint32
		for range slots / 2 {
			added = append(added, random.Uint32())
			m.add(added[len(added)-1])
		}
		for _, hash := range added {
			if !m.has(hash) {
				t.Fatalf("%d is not there", hash)
			}
		}
		taken := 0
		for range slots {
			if m.has(random.Uint32()) {
				taken++
			}
		}
		if taken > slots/6 {
			t.Errorf("%d of %d others are taken for what was added", taken, slots)
		}
		m = m.emptied(slots)
		for _, hash := range added {
			if m.has(hash) {
				t.Fatalf("%d is in an empty set", hash)
			}
		}
	}
}
