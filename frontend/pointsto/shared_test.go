package pointsto

import (
	"math/rand"
	"testing"
)

// TestShared adds random labels, few and many, to the sets of some nodes, which often are equal, and compares them with
// sets that share nothing. Now and then what the pool remembers is forgotten.
func TestShared(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 10 {
		s := &solver{}
		nodes, want := make([]set, 6), make([]set, 6)
		for range 200 {
			var labels set
			for first, n := uint32(random.Intn(1<<14)), random.Intn(1+random.Intn(3*large)); n >= 0; n-- {
				labels.add(first + uint32(n)*64)
			}
			first := random.Intn(len(nodes))
			for i := first; i < len(nodes) && i <= first+random.Intn(3); i++ { // the same, as successors of one node get
				fresh := want[i].absorb(labels, nil)
				got := s.add(&nodes[i], labels)
				if len(fresh.minus(got, nil)) > 0 || len(got.minus(labels, nil)) > 0 || len(fresh) == 0 && len(got) > 0 {
					t.Fatalf("new are %v, want %v", got, fresh)
				}
			}
			if random.Intn(4) == 0 { // a node gets all that another one has
				i, j := random.Intn(len(nodes)), random.Intn(len(nodes))
				want[i].union(want[j])
				s.add(&nodes[i], nodes[j])
			}
			if random.Intn(20) == 0 {
				s.pool.keep(maxWords)
			}
			for i := range nodes {
				if !nodes[i].equal(want[i]) {
					t.Fatalf("node %d has %v, want %v", i, nodes[i], want[i])
				}
			}
		}
	}
}
