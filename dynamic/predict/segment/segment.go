// Package segment finds the part of a run in which the atomicity of a block of code can be violated: the Trace
// Atomicity Segment of Sinha, Malik, Wang and Gupta, section III.
//
// A violation is a path of accesses, each before the next in its thread or in conflict with it, that leaves the block
// and comes back to it. In runs that keep what each read has read from, but for the last read of each thread, such a
// path never leaves the segment (their Theorem 1). So a block is proved to be atomic in all of these runs if fewer
// than two of its accesses are in conflict with others in the segment.
package segment

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// Block is code that is meant to be atomic: some accesses of one thread, ascending.
type Block struct {
	Thread   int32
	Accesses []int32
	// Until has for a Read whose value matters no more from a later access on the place of that one in Accesses, and
	// else 0; it may be shorter.
	Until []int
}

// UntilOf is the element of Until for an access.
func (b *Block) UntilOf(access int) int {
	if access < len(b.Until) {
		return b.Until[access]
	}
	return 0
}

// Segment lies between two frontiers: the events of a thread with an index above Upper and below Lower.
type Segment struct {
	Upper, Lower []int32
	// Guards are the locks that the block holds from its first access to its last one. No event of a path comes while
	// another thread holds one of them.
	Guards []*order.Held
	// Whole tells whether all of it is in the window. If not, nothing is proved by what is not in it.
	Whole bool
}

// Of is the segment of a block, whose first and last access are in the window.
func Of(h *order.History, b *Block) Segment {
	n := h.Threads()
	frontiers := make([]int32, 2*n)
	s := Segment{Upper: frontiers[:n:n], Lower: frontiers[n:], Whole: true}
	first, last := b.Accesses[0], b.Accesses[len(b.Accesses)-1]
	begin := h.Find(order.ID{Thread: b.Thread, Index: first})
	before := begin.Before
	for l := begin.Held; l != nil; l = l.Next {
		if h.HeldAt(b.Thread, last).Has(l.Acquire) {
			s.Guards = append(s.Guards, l)
		}
	}
	for i := range s.Upper {
		s.Upper[i] = before.At(int32(i))
	}
	s.Upper[b.Thread], s.Lower[b.Thread] = first-1, last+1
	end := order.ID{Thread: b.Thread, Index: last}
	for i := range s.Lower {
		if t := int32(i); t != b.Thread {
			s.Lower[i] = s.lower(h, t, end)
			s.Whole = s.Whole && s.Upper[i] >= h.Base(t) && (h.Complete(t, end) || s.Lower[i] <= h.Last(t))
		}
	}
	return s
}

// lower is the lower frontier in a thread: its first event that must come after the last access of the block, apart
// from reads that may come earlier if they read something else.
func (s *Segment) lower(h *order.History, thread int32, last order.ID) int32 {
	end := h.Last(thread)
	for i := h.FirstAfter(thread, last); i <= end; i++ {
		if !s.coupledBelow(h.Find(order.ID{Thread: thread, Index: i})) {
			return i
		}
	}
	return end + 1
}

// coupledBelow tells whether a read has read from a write that is not above the upper frontier.
func (s *Segment) coupledBelow(e *order.Event) bool {
	return e.Writer.Index > 0 && e.Writer.Index > s.Upper[e.Writer.Thread]
}

// Has tells whether an event is in the segment.
func (s *Segment) Has(id order.ID) bool {
	return id.Index > s.Upper[id.Thread] && id.Index < s.Lower[id.Thread]
}

// Size is how many events of the window are in the segment.
func (s *Segment) Size(h *order.History) int {
	n := 0
	for i := range s.Upper {
		n += max(0, int(s.Lower[i]-max(s.Upper[i], h.Base(int32(i)))-1))
	}
	return n
}

// In is the part of ascending indices of a thread that is in the segment.
func (s *Segment) In(thread int32, indices []int32) []int32 {
	from, _ := slices.BinarySearch(indices, s.Upper[thread]+1)
	to, _ := slices.BinarySearch(indices[from:], s.Lower[thread])
	return indices[from : from+to]
}

// Guarded tells whether an event comes while its thread holds a lock that keeps it out of the block: it is no part of a
// path, since the whole critical section comes before the block or after it.
func (s *Segment) Guarded(h *order.History, thread, index int32) bool {
	if len(s.Guards) == 0 {
		return false
	}
	for held := h.HeldAt(thread, index); held != nil; held = held.Next {
		for _, g := range s.Guards {
			if held.Excludes(g) {
				return true
			}
		}
	}
	return false
}

// meets tells whether one of ascending indices of a thread is in the segment and can be on a path.
func (s *Segment) meets(h *order.History, thread int32, indices []int32) bool {
	if len(indices) == 0 || indices[len(indices)-1] <= s.Upper[thread] || indices[0] >= s.Lower[thread] {
		return false
	}
	for _, i := range s.In(thread, indices) {
		if !s.Guarded(h, thread, i) {
			return true
		}
	}
	return false
}

// Touched tells whether an access of the block is in conflict with one of another thread in the segment.
func (s *Segment) Touched(h *order.History, b *Block, index int32) bool {
	e := h.Find(order.ID{Thread: b.Thread, Index: index})
	by := h.Accesses(e.Object)
	for i := range by {
		a := &by[i]
		if a.Thread != b.Thread && (s.meets(h, a.Thread, a.Writes) || e.Kind.Writes() && s.meets(h, a.Thread, a.Reads)) {
			return true
		}
	}
	return false
}

// IsAtomic is the static check: fewer than two accesses of the block are in conflict with others in the segment. (The
// paper does not look at locks there; an access under a lock that the block holds throughout does not count here.) It
// proves that the block is atomic in all of the runs if the segment is whole. Of which variables it is known that no
// access of another thread is in the way tells kept, which may be nil.
func (s *Segment) IsAtomic(h *order.History, b *Block, kept func(variable uint32) bool) bool {
	touched := 0
	for _, i := range b.Accesses {
		if kept != nil && kept(h.Find(order.ID{Thread: b.Thread, Index: i}).Object) {
			continue
		}
		if s.Touched(h, b, i) {
			if touched++; touched == 2 {
				return false
			}
		}
	}
	return true
}
