package modref

import (
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// TestOnCycles compares with the definition, on random graphs.
func TestOnCycles(t *testing.T) {
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 0))
		var all []*pointsto.Node
		nodes := map[*pointsto.Node]bool{}
		for i := range 1 + random.IntN(8) {
			all = append(all, &pointsto.Node{ID: i})
			if random.IntN(5) > 0 {
				nodes[all[i]] = true
			}
		}
		calls := map[*pointsto.Node][]*pointsto.Node{}
		for range random.IntN(14) {
			from := all[random.IntN(len(all))]
			calls[from] = append(calls[from], all[random.IntN(len(all))])
		}
		cyclic := onCycles(nodes, func(n *pointsto.Node) []*pointsto.Node { return calls[n] })
		for n := range nodes {
			reached := map[*pointsto.Node]bool{}
			var walk func(*pointsto.Node)
			walk = func(from *pointsto.Node) {
				for _, m := range calls[from] {
					if nodes[m] && !reached[m] {
						reached[m] = true
						walk(m)
					}
				}
			}
			walk(n)
			if cyclic[n] != reached[n] {
				t.Fatalf("seed %d: node %d is on a cycle: %v, want %v", seed, n.ID, cyclic[n], reached[n])
			}
		}
	}
}
