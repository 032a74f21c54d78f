package pointsto

import (
	"context"
	"math/bits"

	"github.com/empire-go/empire-go/limit"
)

// A worklist is the nodes with a difference to propagate. They are taken in sweeps, each
// in topological order as far as is known, so that a node is propagated once for many
// changes; what a sweep adds ahead of it, it takes along.
type worklist struct {
	first uint32 // node that can be on the list
	// by node, less first: topological order at the last search for cycles. Later nodes are ranked by
	// number, behind all others
	rank    []uint32
	byRank  []uint32
	waiting []uint64 // bit set of ranks
	count   int
}

// add puts n on the list.
func (w *worklist) add(n uint32) {
	r := n - w.first
	if int(r) < len(w.rank) {
		r = w.rank[r]
	}
	for int(r/64) >= len(w.waiting) {
		w.waiting = append(w.waiting, 0)
	}
	if bit := uint64(1) << (r % 64); w.waiting[r/64]&bit == 0 {
		w.waiting[r/64] |= bit
		w.count++
	}
}

// take removes the first node of a word of the bit set, which is not zero.
func (w *worklist) take(word int) uint32 {
	r := uint32(word*64 + bits.TrailingZeros64(w.waiting[word]))
	w.waiting[word] &= w.waiting[word] - 1
	w.count--
	if int(r) < len(w.byRank) {
		return w.byRank[r]
	}
	return w.first + r
}

// sweep propagates all nodes on the list, and those that are added behind them meanwhile.
func (s *solver) sweep(ctx context.Context) error {
	const atOnce = 256 * limit.Propagation
	work := limit.Work(0)
	for word := 0; word < len(s.work.waiting); word++ {
		for s.work.waiting[word] != 0 {
			if work += s.propagate(s.work.take(word)); work >= atOnce {
				if err := limit.Pay(ctx, work); err != nil {
					return err
				}
				work = 0
			}
		}
	}
	return nil
}

// reorder puts the nodes in a new order, finished by finished: the last one is the first.
func (s *solver) reorder(finished []uint32) {
	s.work.byRank, s.work.count = finished, 0
	clear(s.work.waiting)
	for i, j := 0, len(finished)-1; i < j; i, j = i+1, j-1 {
		finished[i], finished[j] = finished[j], finished[i]
	}
	for r, n := range finished {
		s.work.rank[n-s.work.first] = uint32(r)
	}
	for _, n := range finished {
		if len(s.flow(n).difference) > 0 {
			s.work.add(n)
		}
	}
}
