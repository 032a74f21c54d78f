package pointsto

import (
	"context"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/limit"
)

// A solver holds the constraint graph. Its nodes are numbered from 1; they are
// slots of values of call-graph nodes, and contents of cells. Labels (members of
// points-to sets) are cells, or tags (see dynamic.go); cell 0 is the nil of
// interfaces that hold a nil pointer.
type solver struct {
	config      Config
	insensitive bool
	layouts     *layouts

	*refinement // of a base solution; nil if everything is solved

	ownersFrom uint32 // the node of the first owner

	pages  []*[pageSize]node // of the nodes, which never move
	flows  []*[pageSize]flow // of the same nodes, but for those of a base; nil when all is solved
	parent []uint32          // union-find over nodes; a representative is its own parent
	// ID of the call-graph node of whose values a node is one, -1 if none; nil when all is solved
	owners  []int32
	index   *index // when all is solved
	cells   []cell
	objects []*Object
	tags    []tag

	tagLabels []uint32 // of the tags

	objectsOf map[objectKey]*Object
	contexts  map[contextKey]*Context
	globals   map[ssa.Value]uint32 // nodes of the addresses of globals
	shares    []share              // values with nodes that were not made for them
	loads     map[loadKey]uint32   // of the function whose constraints are generated
	panics    uint32               // node of all that is ever passed to panic

	functions   map[functionKey]*Node
	order       []*Node // of discovery
	ungenerated []*Node
	roots       []*Node
	traits      map[*ssa.Function]*traits
	called      map[*ssa.Function][]int              // see calledParameters; only of a base
	concurrent  map[*types.Func][]knowledge.Callback // of methods of interfaces
	models      map[knowledge.Flow]model
	sites       []*callSite
	receivers   []*callSite // of which each callee needs a receiver
	wrapped     []wrapped   // that may be nil, see assumeNil
	boxed       []uint32    // nodes of values that become those of interfaces; only of a base
	reached     []bool      // see IsBoxed; nil until it is asked for
	facts       *facts      // only of a base
	starts      []*callSite // of callbacks on other goroutines
	casts       []cast
	passed      map[passedKey]uint32 // see passedAs
	slots       map[slotsKey]uint32  // see inSlots
	anyMethods  []*anyMethod         // in order of discovery
	partsAt     []*reflectedParts    // by number of the call, less 1
	holes       []Hole
	holesSeen   map[holeKey]bool

	dynamic dynamicTypes

	work     worklist
	edges    int
	searchAt int // number of edges at which to search for cycles next
	scratch  set
	sets     allocator
	pool     pool
}

// A node of the constraint graph: the set of labels that flow to it.
type node struct {
	points set
	fixed  uint32 // the only label there ever is; 0 if not known
}

// A flow is the constraints on a node.
type flow struct {
	difference set // part of the node's points that was not propagated yet
	successors []uint32
	known      set // members of successors, if they are many
	complex    []constraint
}

// A cell is the part of a sub-object that analysis needs: whose it is, the node for
// what it contains, 0 while nothing does, and the type of its address as a value in an
// interface, 0 if not yet known. A tag has object -1-index.
type cell struct {
	object  int32
	content uint32
	typ     typeID
}

// A share is a value of a call-graph node with the nodes of something else that it is
// always equal to: of the address of a global or function, of the contents of a variable,
// or of the results of a function.
type share struct {
	node  uint32
	owner int32 // ID
}

// A loadKey tells loads in one function that have the same result.
type loadKey struct {
	from   location
	layout *layout
}

// passedKey is the values that a call by reflection passes, of one type.
type passedKey struct {
	values uint32
	typ    typeID
}

type functionKey struct {
	function *ssa.Function
	context  *Context
}

func newSolver(c Config, insensitive bool) *solver {
	c.Sensitivity = c.Sensitivity.withDefaults()
	s := &solver{
		config: c, insensitive: insensitive, layouts: newLayouts(),
		objectsOf: map[objectKey]*Object{}, contexts: map[contextKey]*Context{}, globals: map[ssa.Value]uint32{},
		loads:     map[loadKey]uint32{},
		functions: map[functionKey]*Node{}, traits: map[*ssa.Function]*traits{}, called: map[*ssa.Function][]int{},
		concurrent: map[*types.Func][]knowledge.Callback{}, models: newModels(), holesSeen: map[holeKey]bool{},
		passed: map[passedKey]uint32{}, slots: map[slotsKey]uint32{},
		searchAt: 1 << 13,
	}
	s.dynamic = dynamicTypes{
		typeTable: &typeTable{
			ids: map[types.Type]typeID{}, types: []types.Type{nil},
			implements: map[uint64]bool{}, methods: map[methodKey]*ssa.Function{},
		},
		tags: map[uint64]uint32{}, boxes: map[typeID]*Object{},
	}
	s.work.first = 1
	s.newNodes(nil, 1) // 0 is no node
	s.newObject(nil, nil, types.Typ[types.UntypedNil], memory, scalar(nil))
	s.panics = s.newNodes(nil, 1)
	return s
}

// newNodes makes n nodes in a row, for values of owner, and returns the first.
func (s *solver) newNodes(owner *Node, n int) uint32 {
	first, id := uint32(len(s.parent)), int32(-1)
	if owner != nil {
		id = int32(owner.ID)
	}
	for i := range n {
		s.parent = append(s.parent, first+uint32(i))
		s.owners = append(s.owners, id)
	}
	for len(s.pages)*pageSize < len(s.parent) {
		s.pages, s.flows = append(s.pages, new([pageSize]node)), append(s.flows, new([pageSize]flow))
	}
	return first
}

const pageSize = 1 << 10

func (s *solver) node(n uint32) *node { return &s.pages[n/pageSize][n%pageSize] }

// flow returns the constraints on a node that is not frozen, while it is solved.
func (s *solver) flow(n uint32) *flow { return &s.flows[n/pageSize][n%pageSize] }

// find returns the representative of n.
func (s *solver) find(n uint32) uint32 {
	for s.parent[n] != n {
		s.parent[n] = s.parent[s.parent[n]]
		n = s.parent[n]
	}
	return n
}

// content returns the node for what the cell contains.
func (s *solver) content(c uint32) uint32 {
	id := &s.cells[c].content
	switch {
	case *id == 0:
		*id = s.newNodes(nil, 1)
	case s.isFrozen(*id):
		*id = s.thaw(*id)
	}
	return *id
}

// objectOf returns the object of a cell that is no tag.
func (s *solver) objectOf(c uint32) *Object { return s.objects[s.cells[c].object] }

// shift returns the cell off further in the same object.
func (s *solver) shift(c uint32, off int32) (uint32, bool) {
	if c == 0 || s.cells[c].object < 0 {
		return 0, false
	}
	o := s.objectOf(c)
	at := int64(c) + int64(off)
	if at < int64(o.base) || at >= int64(o.base)+int64(o.layout.size()) {
		return 0, false
	}
	return uint32(at), true
}

// addLabel adds one label to n.
func (s *solver) addLabel(n, label uint32) {
	if s.isFrozen(n) {
		return
	}
	s.addLabels(s.find(n), set{word{label >> 6, 1 << (label & 63)}})
}

// addLabels adds a set of labels to the representative n.
func (s *solver) addLabels(n uint32, labels set) {
	if s.isFrozen(n) {
		return
	}
	to := s.node(n)
	if to.points == nil {
		to.points = s.sets.small(len(labels))
	}
	fresh := s.add(&to.points, labels)
	if len(fresh) == 0 {
		return
	}
	flow := s.flow(n)
	if flow.difference == nil {
		flow.difference = s.sets.take()
	}
	if len(flow.difference) < large && len(fresh) < large {
		flow.difference.union(fresh)
		flow.difference = s.pool.shared(flow.difference)
	} else {
		s.pool.add(&flow.difference, fresh)
	}
	s.work.add(n)
}

// addEdge makes all of from flow to to.
func (s *solver) addEdge(from, to uint32) {
	if from == 0 || to == 0 || s.isFrozen(to) {
		return
	}
	from, to = s.find(from), s.find(to)
	if s.isFrozen(from) {
		s.addLabels(to, s.node(from).points)
		return
	}
	if from == to || !s.flow(from).addSuccessor(to) {
		return
	}
	s.edges++
	if len(s.node(from).points) > 0 {
		s.addLabels(to, s.node(from).points)
	}
}

// addEdges is addEdge for n slots in a row; 0 stands for none.
func (s *solver) addEdges(from, to uint32, n int) {
	if from == 0 || to == 0 {
		return
	}
	for i := range uint32(n) {
		s.addEdge(from+i, to+i)
	}
}

// addSuccessor reports whether to was no successor before.
func (f *flow) addSuccessor(to uint32) bool {
	const few = 16
	if len(f.successors) < few {
		if slices.Contains(f.successors, to) {
			return false
		}
	} else {
		if f.known == nil {
			for _, t := range f.successors {
				f.known.add(t)
			}
		}
		if !f.known.add(to) {
			return false
		}
	}
	f.successors = append(f.successors, to)
	return true
}

// constrain adds a complex constraint to n.
func (s *solver) constrain(n uint32, c constraint) {
	if n == 0 {
		return
	}
	if label := s.node(n).fixed; label != 0 {
		s.apply(c, set{word{label >> 6, 1 << (label & 63)}})
		return
	}
	points := s.node(s.find(n)).points
	if s.isFrozen(n) {
		s.apply(c, points)
		return
	}
	from := s.flow(s.find(n))
	from.complex = append(from.complex, c)
	if now := points.minus(from.difference, nil); len(now) > 0 {
		s.apply(c, now)
	}
}

// solve works until nothing changes.
func (s *solver) solve(ctx context.Context) error {
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.generateAll(ctx); err != nil {
			return err
		}
		if s.work.count == 0 {
			if s.assumeParts() || s.assumeMethods() || s.assumeNil() {
				continue
			}
			return nil
		}
		if s.edges > s.searchAt {
			s.collapseCycles()
			s.searchAt = s.edges + max(1<<13, s.edges/2)
		}
		if err := s.sweep(ctx); err != nil {
			return err
		}
	}
}

// hasWork reports whether there is something to generate or to propagate.
func (s *solver) hasWork() bool { return len(s.ungenerated) > 0 || s.work.count > 0 }

// propagate sends the difference of n on, and returns what work that was.
func (s *solver) propagate(n uint32) limit.Work {
	from := s.flow(n)
	difference := from.difference
	if s.parent[n] != n || len(difference) == 0 {
		return limit.Propagation
	}
	from.difference = nil
	work, looked := limit.Handed*limit.Work(len(from.successors)), s.pool.looked
	if len(difference) < large {
		work *= limit.Work(len(difference))
	}
	if len(from.complex) > 0 {
		work += limit.Translated * limit.Work(difference.len()*len(from.complex))
	}
	for i := 0; i < len(from.complex); i++ { // may grow meanwhile: new ones see it all
		s.apply(from.complex[i], difference)
	}
	for _, to := range from.successors {
		if to = s.find(to); to != n {
			s.addLabels(to, difference)
		}
	}
	work += limit.Handed * limit.Work(s.pool.looked-looked)
	s.sets.free(difference)
	return max(work, limit.Propagation)
}
