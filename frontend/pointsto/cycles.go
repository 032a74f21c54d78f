package pointsto

// collapseCycles merges the nodes of each cycle of edges, which all have the
// same solution, and orders the rest topologically. Tarjan's algorithm, without
// recursion; linear in the edges.
func (s *solver) collapseCycles() {
	first := s.firstNode()
	count := uint32(len(s.parent)) - first
	t := &tarjan{solver: s, first: first, index: make([]uint32, count), low: make([]uint32, count),
		done: make([]bool, count)}
	for i := range count {
		if s.parent[first+i] == first+i && t.index[i] == 0 {
			t.search(first + i)
		}
	}
	s.work.rank = make([]uint32, count)
	s.reorder(t.finished)
}

type tarjan struct {
	*solver
	first      uint32   // nodes before it have no successors
	index, low []uint32 // of the node first+i
	done       []bool
	visited    uint32
	finished   []uint32 // representatives
	stack      []uint32
	frames     []frame
}

type frame struct {
	node uint32
	next int // successor to look at
}

func (t *tarjan) enter(n uint32) {
	t.visited++
	t.index[n-t.first], t.low[n-t.first] = t.visited, t.visited
	t.stack = append(t.stack, n)
	t.frames = append(t.frames, frame{node: n})
}

func (t *tarjan) search(root uint32) {
	t.enter(root)
	for len(t.frames) > 0 {
		f := &t.frames[len(t.frames)-1]
		n := f.node
		if successors := t.flow(n).successors; f.next < len(successors) {
			m := t.find(successors[f.next])
			f.next++
			switch {
			case t.done[m-t.first] || m == n:
			case t.index[m-t.first] == 0:
				t.enter(m)
			default:
				t.low[n-t.first] = min(t.low[n-t.first], t.index[m-t.first])
			}
			continue
		}
		t.frames = t.frames[:len(t.frames)-1]
		if len(t.frames) > 0 {
			up := t.frames[len(t.frames)-1].node
			t.low[up-t.first] = min(t.low[up-t.first], t.low[n-t.first])
		}
		if t.low[n-t.first] == t.index[n-t.first] {
			t.finish(n)
		}
	}
}

// finish takes the component of root from the stack and merges it into root.
func (t *tarjan) finish(root uint32) {
	t.finished = append(t.finished, root)
	at := len(t.stack) - 1
	for t.stack[at] != root {
		at--
	}
	members := t.stack[at:]
	t.stack = t.stack[:at]
	for _, n := range members {
		t.done[n-t.first] = true
	}
	// Merging must wait until here, because find must not change on the way.
	for _, n := range members[1:] {
		t.merge(root, n)
	}
}

// merge makes n a part of root.
func (s *solver) merge(root, n uint32) {
	r, m := s.node(root), *s.node(n)
	into, old := s.flow(root), *s.flow(n)
	s.parent[n] = root
	*s.node(n), *s.flow(n) = node{}, flow{}
	// Constraints of each must see what only the other had: propagate the
	// symmetric difference again.
	var again set
	again = r.points.minus(m.points, again)
	again.union(m.points.minus(r.points, nil))
	s.add(&r.points, m.points)
	s.add(&into.difference, old.difference)
	s.add(&into.difference, again)
	into.complex = append(into.complex, old.complex...)
	for _, to := range old.successors {
		if to = s.find(to); to != root {
			into.addSuccessor(to)
		}
	}
}
