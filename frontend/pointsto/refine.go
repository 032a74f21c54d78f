package pointsto

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A refinement solves a slice of the program again, more precisely, on top of a
// base solution that stays as it is.
//
// Some objects of the base are split: the refinement makes its own in their place,
// with contexts. The slice is every function with a value that may point to one of
// them. All other functions keep their values, which cannot change: what is split
// does not reach them, and what else reaches them is in the base already. So the
// nodes of the base are frozen: they are read (a set in the base is an
// over-approximation of what the refinement would find), never written.
//
// Memory: the contents of an object that is not split start as what they are in the
// base, less the split objects; only functions of the slice can store those.
//
// Calls: a call in the slice of a function outside uses that function's call-graph
// node of the base. Calls from outside of functions in the slice are made anew, with
// the caller's values.
type refinement struct {
	base     *solver
	split    []bool   // by ID, of the base's objects
	gone     []uint64 // bit set of the base's labels that stand for split objects
	slice    []bool   // by ID, of the base's call-graph nodes
	again    map[*callSite]*callSite
	callers  map[*Node][]Edge // from the slice to nodes of the base
	replaced map[*Node]bool   // nodes of the base outside the slice, called from it in the base
	owned    owned
	subjects map[*layout]bool // answers of isSubject
}

// refine returns a solver for the slice, ready to solve. The budget is for the slice
// (see plan), given the instructions of the program.
func (b *solver) refine(sensitivity Sensitivity, budget func(program int) int) *solver {
	c := b.config
	c.Sensitivity = sensitivity.withDefaults()
	s := &solver{
		refinement: &refinement{base: b, again: map[*callSite]*callSite{}, callers: map[*Node][]Edge{},
			replaced: map[*Node]bool{}, subjects: map[*layout]bool{}},
		config: c, layouts: b.layouts, models: b.models, concurrent: b.concurrent,
		pages: slices.Clip(b.pages), flows: make([]*[pageSize]flow, len(b.pages)), parent: slices.Clone(b.parent),
		cells: slices.Clone(b.cells), objects: slices.Clip(b.objects), tags: slices.Clip(b.tags),
		tagLabels: slices.Clip(b.tagLabels), order: slices.Clip(b.order),
		objectsOf: map[objectKey]*Object{}, contexts: map[contextKey]*Context{}, globals: map[ssa.Value]uint32{},
		loads:     map[loadKey]uint32{},
		functions: map[functionKey]*Node{}, traits: map[*ssa.Function]*traits{}, passed: map[passedKey]uint32{},
		slots: map[slotsKey]uint32{},
		holes: b.holes, searchAt: 1 << 13,
	}
	s.dynamic = dynamicTypes{b.dynamic.typeTable, map[uint64]uint32{}, map[typeID]*Object{}}
	// Pages are shared: ours begin after the last.
	for len(s.parent) < len(s.pages)*pageSize {
		s.parent = append(s.parent, uint32(len(s.parent)))
	}
	s.ownersFrom = uint32(len(s.parent))
	s.work.first = s.firstNode()
	s.choose(budget)
	s.panics = s.thaw(b.panics)
	for _, f := range c.Roots {
		s.roots = append(s.roots, s.functionNode(f, nil))
	}
	s.callAgain()
	return s
}

// choose decides what is split, and the slice.
func (s *solver) choose(budget func(int) int) {
	b := s.base
	p := &plan{solver: b, sensitivity: s.config.Sensitivity}
	p.choose(budget)
	s.split, s.slice, s.owned = p.split, p.slice, p.owned
	s.gone = make([]uint64, len(b.cells)/64+1)
	for label := range b.cells {
		if c := b.plain(uint32(label)); c != 0 && p.split[b.cells[c].object] {
			s.gone[label/64] |= 1 << (label % 64)
		}
	}
}

// isFrozen reports whether the node is one of the base.
func (s *solver) isFrozen(n uint32) bool {
	return s.refinement != nil && n < uint32(len(s.base.parent))
}

// firstNode returns the first node that is not frozen.
func (s *solver) firstNode() uint32 {
	if s.refinement == nil {
		return 1
	}
	return uint32(len(s.base.pages) * pageSize)
}

// isBase reports whether the call-graph node is one of the base.
func (s *solver) isBase(n *Node) bool { return s.refinement != nil && n.ID < len(s.base.order) }

// frozenNode returns the node of a function outside the slice, nil for others.
func (s *solver) frozenNode(f *ssa.Function) *Node {
	if s.refinement == nil {
		return nil
	}
	if n := s.base.functions[functionKey{function: f}]; n != nil && !s.slice[n.ID] {
		return n
	}
	return nil
}

// remaining returns the labels that are not split.
func (s *solver) remaining(labels set) set {
	var out set
	for i, w := range labels {
		gone := uint64(0)
		if int(w.key) < len(s.gone) {
			gone = s.gone[w.key] & w.bits
		}
		switch {
		case gone == 0 && out == nil:
		case out == nil:
			out = append(make(set, 0, len(labels)), labels[:i]...)
			fallthrough
		default:
			if w.bits &^= gone; w.bits != 0 {
				out = append(out, w)
			}
		}
	}
	if out == nil {
		return labels
	}
	return out
}

// points returns the labels of a node.
func (s *solver) points(n uint32) set {
	labels := s.node(s.find(n)).points
	if s.isFrozen(n) {
		return s.remaining(labels)
	}
	return labels
}

// thaw returns a new node with what remains of a frozen one.
func (s *solver) thaw(n uint32) uint32 {
	id := s.newNodes(nil, 1)
	s.addLabels(id, s.points(n))
	return id
}

// callAgain makes the calls from outside the slice of what is in it.
func (s *solver) callAgain() {
	b := s.base
	outside := make([]bool, len(b.order))
	for id, n := range b.order {
		if !s.slice[id] {
			continue
		}
		for _, e := range n.callers {
			outside[e.Caller.ID] = !s.slice[e.Caller.ID]
		}
		for _, site := range n.sites {
			for _, callee := range site.callees {
				if !s.slice[callee.ID] {
					s.replaced[callee] = true
				}
			}
		}
	}
	for id, is := range outside {
		if !is {
			continue
		}
		for _, old := range b.order[id].sites {
			if slices.ContainsFunc(old.callees, func(n *Node) bool { return s.slice[n.ID] }) {
				site := *old
				site.index, site.callees, site.linked = int32(len(s.sites)), nil, nil
				s.sites = append(s.sites, &site)
				s.again[old] = &site
				s.dispatch(&site)
			}
		}
	}
}

// addCaller records an edge.
func (s *solver) addCaller(callee *Node, e Edge) {
	switch {
	case !s.isBase(callee):
		callee.callers = append(callee.callers, e)
	case !s.isBase(e.Caller):
		s.refinement.callers[callee] = append(s.refinement.callers[callee], e)
	}
}

// callersOf returns the edges into n.
func (s *solver) callersOf(n *Node) []Edge {
	if !s.isBase(n) || !s.replaced[n] && s.refinement.callers[n] == nil {
		return n.callers
	}
	var edges []Edge
	for _, e := range n.callers {
		if !s.slice[e.Caller.ID] {
			edges = append(edges, e)
		}
	}
	return append(edges, s.refinement.callers[n]...)
}

// current returns the site as it is in the refinement.
func (s *solver) current(site *callSite) *callSite {
	if s.refinement != nil {
		if again := s.again[site]; again != nil {
			return again
		}
	}
	return site
}

// nodes returns the call-graph nodes, in order of their IDs.
func (s *solver) nodes() []*Node {
	if s.refinement == nil {
		return s.order
	}
	return slices.DeleteFunc(slices.Clone(s.order), func(n *Node) bool { return s.isBase(n) && s.slice[n.ID] })
}

// liveObjects returns the objects, in order of their IDs.
func (s *solver) liveObjects() []*Object {
	if s.refinement == nil {
		return s.objects
	}
	return slices.DeleteFunc(slices.Clone(s.objects), func(o *Object) bool { return o.ID < len(s.split) && s.split[o.ID] })
}
