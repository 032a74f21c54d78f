package pointsto

// An allocator makes sets. Most points-to sets are small and stay so: those share slabs;
// most differences are short-lived: they are used again.
type allocator struct {
	slab  set
	spare []set
}

const slabWords = 1 << 12

// small returns an empty set with room for n words; nil if they are many.
func (a *allocator) small(n int) set {
	if n > 8 {
		return nil
	}
	if cap(a.slab)-len(a.slab) < n {
		a.slab = make(set, 0, slabWords)
	}
	begin := len(a.slab)
	a.slab = a.slab[:begin+n]
	return a.slab[begin : begin : begin+n]
}

// take returns an empty set.
func (a *allocator) take() set {
	if len(a.spare) == 0 {
		return nil
	}
	last := len(a.spare) - 1
	s := a.spare[last]
	a.spare = a.spare[:last]
	return s
}

// free takes back a set that nobody uses any more.
func (a *allocator) free(s set) {
	if len(s) < large { // else it is shared
		a.spare = append(a.spare, s[:0])
	}
}
