package pointsto

// index is the points-to sets of a solution, each once, and which call-graph nodes have a
// value with that set: many values share theirs.
type index struct {
	first  uint32   // node
	of     []uint32 // by representative, less first: the number of its set, 0 if it is empty
	sets   []set    // by number
	starts []uint32 // by number: where its owners begin, one more at the end
	owners []int32  // IDs of call-graph nodes, some twice
	// by ID of an object: the numbers of the sets that point into it, some twice; nil until it is asked for
	with [][]uint32
}

// newIndex makes the index, and lets nodes with equal sets share one. It takes time
// linear in the sets.
func (s *solver) newIndex() *index {
	first := s.firstNode()
	x, different := &index{first: first, of: make([]uint32, len(s.parent)-int(first))}, newDistinct()
	for n := first; n < uint32(len(s.parent)); n++ {
		if to := s.node(n); s.parent[n] == n && len(to.points) > 0 {
			number := different.number(to.points)
			x.of[n-first], to.points = number, different.sets[number]
		}
	}
	x.sets = different.sets
	// The owners of one set lie in a row: they are counted, then put there.
	x.starts = make([]uint32, len(x.sets)+1)
	s.forOwned(x, func(number uint32, _ int32) { x.starts[number]++ })
	total := uint32(0)
	for number, count := range x.starts {
		x.starts[number], total = total, total+count
	}
	x.owners = make([]int32, total)
	next := append([]uint32(nil), x.starts...)
	s.forOwned(x, func(number uint32, owner int32) {
		x.owners[next[number]] = owner
		next[number]++
	})
	return x
}

// forOwned calls do for the sets of values and their owners, but not twice in a row for
// one owner.
func (s *solver) forOwned(x *index, do func(number uint32, owner int32)) {
	last := make([]int32, len(x.sets))
	add := func(n uint32, owner int32) {
		if owner < 0 || n < x.first { // nobody's, or in the index of the base
			return
		}
		if number := x.of[s.parent[n]-x.first]; number != 0 && last[number] != owner+1 {
			last[number] = owner + 1
			do(number, owner)
		}
	}
	for i, owner := range s.owners {
		add(s.ownersFrom+uint32(i), owner)
	}
	for _, shared := range s.shares {
		add(shared.node, shared.owner)
	}
}

// ownersOf returns the IDs of the call-graph nodes with a value that has the set.
func (x *index) ownersOf(number uint32) []int32 {
	return x.owners[x.starts[number]:x.starts[number+1]]
}

// maxListed bounds the labels of all sets together for which it is listed which of them point into an object.
const maxListed = 1 << 22

// setsWith returns the numbers of the sets that point into an object, some twice, and whether they are known: where
// sets are very large they are not.
func (x *index) setsWith(s *solver, o *Object) ([]uint32, bool) {
	if x.with == nil {
		x.list(s)
	}
	if len(x.with) == 0 {
		return nil, false
	}
	if o.ID < len(x.with) {
		return x.with[o.ID], true
	}
	return nil, true
}

func (x *index) list(s *solver) {
	x.with = [][]uint32{}
	total := 0
	for _, labels := range x.sets {
		if total += labels.len(); total > maxListed {
			return
		}
	}
	x.with = make([][]uint32, len(s.objects))
	for number, labels := range x.sets {
		last := int32(-1)
		for label := range labels.all {
			if o := s.cells[s.plain(label)].object; o != last {
				x.with[o] = append(x.with[o], uint32(number))
				last = o
			}
		}
	}
}
