package pointsto

// Holders returns the call-graph nodes with a value that may point into one of the
// objects, in order of IDs: all that can access them, but for what library functions
// do through reflection. Linear in the values of the program, and fast.
func (r *Result) Holders(objects ...*Object) []*Node {
	r.poll.Check()
	s := r.s
	wanted := make([]uint64, len(s.cells)/64+1)
	is := make([]bool, len(s.objects))
	for _, o := range objects {
		is[o.ID] = true
	}
	for label := range s.cells {
		if c := s.plain(uint32(label)); c != 0 && is[s.cells[c].object] {
			wanted[label/64] |= 1 << (label % 64)
		}
	}
	holds := make([]bool, len(s.order))
	for n, owner := range s.owners {
		if owner < 0 || holds[owner] {
			continue
		}
		for _, w := range s.node(s.parent[n]).points {
			if w.bits&wanted[w.key] != 0 {
				holds[owner] = true
				break
			}
		}
	}
	s.addUsers(holds, is)
	if s.refinement != nil {
		s.base.addUsers(holds, is)
	}
	var nodes []*Node
	for _, n := range r.nodes {
		if holds[n.ID] {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// addUsers adds the nodes that name a global or function among the objects.
func (s *solver) addUsers(holds, is []bool) {
	for id, users := range s.users {
		if is[s.cells[s.node(id).fixed].object] {
			for _, user := range users {
				holds[user] = true
			}
		}
	}
}
