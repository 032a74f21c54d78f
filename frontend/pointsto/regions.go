package pointsto

import "golang.org/x/tools/go/ssa"

// Regions are many regions, about all of which one question is asked at once: which of them does a value lead to?
type Regions struct {
	of     map[int32]set // by ID of an object: the numbers of the regions that it is in
	memory *memoryGraph
	led    []uint32  // by component of the memory: which of the sets is the numbers of the regions that it leads to
	sets   *distinct // of numbers of regions
}

// Numbers are numbers of regions.
type Numbers struct{ all set }

// Has reports whether the number is among them. Logarithmic in how many there are.
func (n Numbers) Has(number int) bool { return n.all.has(uint32(number)) }

// With returns the numbers that are among either.
func (n Numbers) With(more Numbers) Numbers {
	if len(n.all) == 0 {
		return more
	}
	all := n.all.clone()
	all.union(more.all)
	return Numbers{all}
}

// Identity returns the same number for numbers that are equal, and another one for others.
func (g *Regions) Identity(n Numbers) uint32 { return g.sets.number(n.all) }

// Regions returns the memory of the objects of each list, as regions with the numbers of the lists.
func (r *Result) Regions(lists [][]*Object) *Regions {
	g := &Regions{of: map[int32]set{}, sets: newDistinct()}
	for i, objects := range lists {
		for _, o := range objects {
			in := g.of[int32(o.ID)]
			in.add(uint32(i))
			g.of[int32(o.ID)] = in
		}
	}
	return g
}

// LedTo returns the regions of which v may lead in n to an object. What memory leads to is searched once for the
// solution, and each component of it once for the regions, in time linear in the edges between components times the
// numbers of regions.
func (r *Result) LedTo(n *Node, v ssa.Value, g *Regions) Numbers {
	m, components := r.componentsIn(&r.memory, false, n, v)
	g.extend(r, m)
	var all set
	last := uint32(0)
	for _, c := range components {
		if led := g.led[c]; led != last {
			all.union(g.sets.sets[led])
			last = led
		}
	}
	return Numbers{all}
}

// PointedTo returns the regions of which PointsTo(n, v) has a cell.
func (r *Result) PointedTo(n *Node, v ssa.Value, g *Regions) Numbers {
	from, p := r.s.origin(v)
	first, slots := r.nodesFor(n, from)
	var all set
	for i := range slots {
		labels := r.s.points(first + i)
		if p != (path{}) {
			labels = r.s.followAll(p, labels)
		}
		for label := range labels.all {
			all.union(g.of[r.s.cells[r.s.plain(label)].object])
		}
	}
	return Numbers{all}
}

// extend finds out which regions the components lead to that are new. What they lead to comes before them.
func (g *Regions) extend(r *Result, m *memoryGraph) {
	if g.memory != m {
		g.memory, g.led = m, nil
	}
	for c := len(g.led); c < len(m.components)-1; c++ {
		r.poll.Check()
		var led set
		for _, id := range m.cellsOf(c) {
			led.union(g.of[m.s.cells[id].object])
		}
		last := uint32(0)
		for _, next := range m.next(c) {
			if to := g.led[next]; to != last {
				led.union(g.sets.sets[to])
				last = to
			}
		}
		g.led = append(g.led, g.sets.number(led))
	}
}
