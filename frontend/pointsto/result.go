package pointsto

import (
	"context"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/limit"
)

// Result is the solution. It does not change, but what is only computed when it is
// asked for makes it one for one goroutine at a time.
type Result struct {
	s       *solver
	nodes   []*Node
	nodesOf map[*ssa.Function][]*Node

	matched
	*lazy
	poll *limit.Poll // of the stage that asks; nil if nothing ends it
}

// lazy is what is only computed when it is asked for.
type lazy struct {
	calls      map[*Node][]Edge // see Calls; of what was asked about
	components []int32          // see Recursive; nil until it is asked for
	marks      marks            // see Reachable

	memory, encoded *memoryGraph // see ReachedWithin and EncodedWithin; nil until they are asked

	withType map[typeID][]*Object // see ObjectsWith; nil until it is asked
	elements map[SetID][]uint32   // see contentsOfElements
	// by number of a set of the base: the owners of shares of it; nil until it is asked for
	sharing map[uint32][]int32
}

// During returns the result for a stage under a context: once that is done, questions
// end the stage, which has to catch that (see package limit).
func (r *Result) During(ctx context.Context) *Result {
	during := *r
	during.poll = limit.NewPoll(ctx)
	return &during
}

func newResult(s *solver) *Result {
	r := &Result{s: s, nodes: s.nodes(), nodesOf: map[*ssa.Function][]*Node{}, lazy: &lazy{calls: map[*Node][]Edge{},
		elements: map[SetID][]uint32{}}}
	r.match()
	for _, n := range r.nodes {
		r.nodesOf[n.Func] = append(r.nodesOf[n.Func], n)
	}
	return r
}

// finish drops what is only needed while solving.
func (s *solver) finish() {
	for n := s.firstNode(); n < uint32(len(s.parent)); n++ { // let find be read-only
		s.parent[n] = s.find(n)
	}
	for _, site := range s.sites {
		slices.SortFunc(site.callees, byID)
		if site.start != nil && !s.isBase(site.caller) {
			site.caller.starts = append(site.caller.starts, site)
		}
	}
	s.index = s.newIndex()
	s.shares = slices.DeleteFunc(s.shares, func(shared share) bool { return !s.isFrozen(shared.node) })
	s.work, s.scratch, s.owners, s.sets, s.pool, s.loads = worklist{}, nil, nil, allocator{}, pool{}, nil
	s.flows = nil
	s.findRepeated()
	if s.refinement == nil {
		s.facts = s.findFacts()
	}
}

// Nodes returns the call-graph nodes, in order of their IDs.
func (r *Result) Nodes() []*Node { return r.nodes }

// Functions returns the functions of the nodes, each once, in order of their first nodes.
func (r *Result) Functions() []*ssa.Function {
	seen := make(map[*ssa.Function]bool, len(r.nodesOf))
	all := make([]*ssa.Function, 0, len(r.nodesOf))
	for _, n := range r.nodes {
		if !seen[n.Func] {
			seen[n.Func] = true
			all = append(all, n.Func)
		}
	}
	return all
}

// Roots returns the nodes of Config.Roots, in order.
func (r *Result) Roots() []*Node { return r.s.roots }

// Objects returns all objects, in order of their IDs. The first stands for nil.
func (r *Result) Objects() []*Object { return r.s.liveObjects()[1:] }

// NodesOf returns the nodes of f, in order.
func (r *Result) NodesOf(f *ssa.Function) []*Node { return r.nodesOf[f] }

// Callees returns what a call, go or defer statement of n can run, in order of IDs.
// It is empty for built-in functions, and where nothing is known of what is called.
// The caller may not change it.
func (r *Result) Callees(n *Node, site ssa.CallInstruction) []*Node {
	r.poll.Check()
	c := n.ownSites()[site]
	if c == nil {
		return nil
	}
	return r.calleesOf(r.s.current(c))
}

// CalleeFunctions returns the functions that a call can run, each once: the one that it names, or else those of all
// its callees in some nodes, or in all nodes of the function that it is in if none is given.
func (r *Result) CalleeFunctions(site ssa.CallInstruction, in ...*Node) (all []*ssa.Function) {
	if fn := site.Common().StaticCallee(); fn != nil {
		return []*ssa.Function{fn}
	}
	if len(in) == 0 {
		in = r.NodesOf(site.Parent())
	}
	for _, n := range in {
		for _, callee := range r.Callees(n, site) {
			if !slices.Contains(all, callee.Func) {
				all = append(all, callee.Func)
			}
		}
	}
	return all
}

// Calls returns the edges out of n, in the order of its instructions. The caller may not change them.
func (r *Result) Calls(n *Node) []Edge {
	r.poll.Check()
	edges, known := r.calls[n]
	if known {
		return edges
	}
	size := 0
	for _, c := range n.sites {
		size += len(r.calleesOf(r.s.current(c)))
	}
	edges = make([]Edge, 0, size)
	for _, c := range n.sites {
		for _, callee := range r.calleesOf(r.s.current(c)) {
			edges = append(edges, Edge{n, c.instr, callee, c.start})
		}
	}
	r.calls[n] = edges
	return edges
}

// NodesOfClass returns the nodes whose functions are of one of the kinds in the set, in
// order of their IDs.
func (r *Result) NodesOfClass(class knowledge.Class) []*Node {
	var nodes []*Node
	for _, n := range r.nodes {
		if n.traits.class&class != 0 {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// IsOfClass reports whether the function of n is of one of the kinds in the set.
func (r *Result) IsOfClass(n *Node, class knowledge.Class) bool { return n.traits.class&class != 0 }

// CallsTo returns the edges into the nodes of NodesOfClass, in the order of Calls of
// their callers by ID.
func (r *Result) CallsTo(class knowledge.Class) []Edge {
	var callers []*Node
	for _, n := range r.NodesOfClass(class) {
		for _, e := range r.Callers(n) {
			callers = append(callers, e.Caller)
		}
	}
	slices.SortFunc(callers, byID)
	var edges []Edge
	for _, n := range slices.Compact(callers) {
		for _, e := range r.Calls(n) {
			if e.Callee.traits.class&class != 0 {
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// Instructions counts the instructions of the function of n.
func (r *Result) Instructions(n *Node) int { return n.countInstructions() }

func (n *Node) countInstructions() int {
	if n.instructions == 0 {
		for _, b := range n.Func.Blocks {
			n.instructions += len(b.Instrs)
		}
	}
	return n.instructions
}

// Analysed reports whether the values of n are known: a function without body, of
// the runtime system or of package reflect, or with a model, has only calls.
func (r *Result) Analysed(n *Node) bool { return !n.traits.external }

// Callers returns the edges into n, in order of discovery.
func (r *Result) Callers(n *Node) []Edge {
	r.poll.Check()
	if edges, ok := r.matched.callers[n]; ok {
		return edges
	}
	return r.s.callersOf(n)
}

func byID(a, b *Node) int { return a.ID - b.ID }

// Holes returns what is handled unsoundly or coarsely, in order of discovery.
func (r *Result) Holes() []Hole { return r.s.holes }

// Panicked returns the objects that are passed to panic, or are pointed to by what is.
func (r *Result) Panicked() []*Object { return r.slots(r.s.panics, 1).Objects() }

// ObjectsWith returns the objects that are of a type, or have a part of it. The first question takes time linear in
// the types of all objects.
func (r *Result) ObjectsWith(t types.Type) []*Object {
	if r.withType == nil {
		r.withType = r.s.objectsByType()
	}
	return r.withType[r.s.typeID(t)]
}

// objectsByType returns the objects by the types that they, or their parts, are of.
func (s *solver) objectsByType() map[typeID][]*Object {
	all := map[typeID][]*Object{}
	parts := map[*layout][]typeID{}
	for _, o := range s.objects {
		ids, known := parts[o.layout]
		if !known {
			for _, t := range o.layout.types {
				if t != nil {
					ids = append(ids, s.typeID(t))
				}
			}
			slices.Sort(ids)
			ids = slices.Compact(ids)
			parts[o.layout] = ids
		}
		for _, id := range ids {
			all[id] = append(all[id], o)
		}
	}
	return all
}

// PointsTo returns the cells whose addresses v can hold in n. A v that is a
// struct, an array or a tuple holds those of all its parts. For an interface
// they are the pointers in it, and the boxes of other values. Of a slice they
// are the arrays; of a map, channel or function, the object itself.
func (r *Result) PointsTo(n *Node, v ssa.Value) Set {
	r.poll.Check()
	from, p := r.s.origin(v)
	first, slots := r.nodesFor(n, from)
	switch {
	case slots == 0:
		return Set{s: r.s}
	case p != (path{}):
		return r.cells(r.s.followAll(p, r.s.points(first)))
	}
	return r.slots(first, int(slots))
}

// nodesFor returns the nodes of a value that is its own origin: the first, and how many
// there are in a row.
func (r *Result) nodesFor(n *Node, v ssa.Value) (first, slots uint32) {
	id := uint32(0)
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin:
	case *ssa.Global:
		id = r.s.knownGlobal(v)
	case *ssa.Function:
		if id = n.values[v]; id == 0 {
			id = r.s.knownGlobal(v)
		}
	default:
		id = n.values[v]
	}
	switch {
	case id == 0:
		return 0, 0
	case pointerlike(v.Type()):
		return id, 1
	}
	return id, uint32(r.s.layouts.slots(v.Type()))
}

// slots is the union of n nodes in a row.
func (r *Result) slots(first uint32, n int) Set {
	if n == 1 {
		return r.cells(r.s.points(first))
	}
	var labels set
	for i := range uint32(n) {
		labels.union(r.s.points(first + i))
	}
	return r.cells(labels)
}

// cells turns labels into cells.
func (r *Result) cells(labels set) Set {
	if !slices.ContainsFunc(labels, r.hasTags) {
		return Set{r.s, labels}
	}
	var cells set
	for label := range labels.all {
		if c := r.s.plain(label); c != 0 {
			cells.add(c)
		}
	}
	return Set{r.s, cells}
}

// hasTags reports whether a label in the word is no cell, or nil.
func (r *Result) hasTags(w word) bool {
	for label := range (set{w}).all {
		if label == 0 || r.s.cells[label].object < 0 {
			return true
		}
	}
	return false
}

// Contents returns what the memory cell may hold; nothing for a cell that is no
// pointer, or a struct or an array (see Cells).
func (r *Result) Contents(c Cell) Set {
	r.poll.Check()
	off, ok := c.Object.layout.offset(c.Path)
	if !ok {
		return Set{s: r.s}
	}
	return r.content(c.Object.base + uint32(off))
}

func (r *Result) content(c uint32) Set {
	if id := r.s.cells[c].content; id != 0 {
		return r.slots(id, 1)
	}
	return Set{s: r.s}
}

// Cells returns all cells of an object, an aggregate before its parts.
func (r *Result) Cells(o *Object) []Cell {
	r.poll.Check()
	cells := make([]Cell, o.layout.size())
	for i := range cells {
		cells[i] = Cell{o, o.layout.paths[i]}
	}
	return cells
}

// Reachable returns the objects, and all that can be reached from them through
// memory, in order of IDs. Linear in the size of the contents.
func (r *Result) Reachable(objects ...*Object) []*Object {
	if r.marks.objects == nil {
		r.marks.objects, r.marks.contents = make([]uint32, len(r.s.objects)), make([]uint32, len(r.s.parent))
	}
	r.marks.now++
	now, seen, followed := r.marks.now, r.marks.objects, r.marks.contents
	var all []*Object
	add := func(o *Object) {
		if seen[o.ID] != now {
			seen[o.ID] = now
			all = append(all, o)
		}
	}
	for _, o := range objects {
		add(o)
	}
	for k := 0; k < len(all); k++ {
		r.poll.Check()
		o := all[k]
		for i := range uint32(o.layout.size()) {
			id := r.s.cells[o.base+i].content
			if id == 0 || followed[r.s.find(id)] == now { // many cells share theirs
				continue
			}
			followed[r.s.find(id)] = now
			for label := range r.s.points(id).all {
				if c := r.s.plain(label); c != 0 {
					add(r.s.objectOf(c))
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b *Object) int { return a.ID - b.ID })
	return all
}

// marks tells what a search has met, without clearing what earlier ones have.
type marks struct {
	now               uint32
	objects, contents []uint32 // by ID, and by representative
}

// Set is a set of cells.
type Set struct {
	s     *solver
	cells set
}

// Len returns the number of cells.
func (s Set) Len() int { return s.cells.len() }

// Cells returns the cells in order of objects and offsets.
func (s Set) Cells() []Cell {
	cells := make([]Cell, 0, s.Len())
	for c := range s.cells.all {
		o := s.s.objectOf(c)
		cells = append(cells, Cell{o, o.layout.paths[c-o.base]})
	}
	return cells
}

// Objects returns the objects of the cells, each once, in order of IDs.
func (s Set) Objects() []*Object {
	var objects []*Object
	for c := range s.cells.all {
		if o := s.s.objectOf(c); len(objects) == 0 || objects[len(objects)-1] != o {
			objects = append(objects, o)
		}
	}
	return objects
}

// Has reports whether the set has the cell.
func (s Set) Has(c Cell) bool {
	off, ok := c.Object.layout.offset(c.Path)
	return ok && s.cells.has(c.Object.base+uint32(off))
}
