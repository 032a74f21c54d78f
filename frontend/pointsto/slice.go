package pointsto

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A plan is the choice of what a refinement splits, and of its slice.
//
// Split are, of what contexts tell apart, the objects of the types asked about (always),
// and, as long as the slice stays small: what they lead to, the receivers of the sensitive
// methods, and what sensitive functions allocate. An object that most of the program has
// at hand, as a logger, is not split; it keeps the precision of the base. So does one
// that goes where it goes whatever the context (see several).
type plan struct {
	*solver     // the base
	sensitivity Sensitivity

	split []bool // by ID of objects
	slice []bool // by ID of call-graph nodes
	size  int    // of the slice, in instructions

	owned owned // functions

	dense   []int32   // by ID of objects: where their holders are, 0 if they are not known
	holders [][]int32 // IDs of nodes with a value that may point to the object
	wide    []bool    // it has too many
	first   int32     // objects before this one are split, whatever it costs
	limit   int       // of the number of holders of the others

	met    []int32 // by ID of nodes: the last search of distinct that met it
	search int32
}

// budget is how many instructions the slice may have: a part of the program, or what
// takes a few milliseconds.
func budget(program int) int { return max(least, program/32) }

const least = 20000

// unconnected is how many of them it may have before an object is split to which nothing that is
// asked about leads.
func unconnected(budget int) int { return max(min(budget, least), budget/2) }

func (p *plan) choose(budget func(int) int) {
	p.split, p.slice = make([]bool, len(p.objects)), make([]bool, len(p.order))
	p.dense, p.holders, p.wide = make([]int32, len(p.objects)), [][]int32{nil}, []bool{false}
	p.met = make([]int32, len(p.order))
	sensitive, perReceiver := make([]bool, len(p.order)), make([]bool, len(p.order))
	for id, n := range p.order {
		f, t := n.Func, n.traits
		if recv := f.Signature.Recv(); recv != nil && p.sensitivity.Receiver(f) {
			sensitive[id] = true
			perReceiver[id] = pointerlike(recv.Type()) && !t.external
		}
		// What an external function calls back belongs to the call of it (see callBack):
		// left outside, the base's node would get the calls of the slice.
		if p.sensitivity.CallSite(f) || t.callsBack || t.external && len(n.sites) > 0 {
			sensitive[id] = true
			p.include(int32(id))
		}
		if t.helper { // it is part of the slice where it has something at hand that is split
			sensitive[id] = true
		}
	}
	most := budget(p.facts.instructions)
	all := p.subjects()
	isReached := make([]bool, len(p.objects))
	reached := p.leadTo(all, isReached)
	p.findHolders(reached, len(all), most/32)
	p.owned = p.findOwned(reached, len(all), most)
	for f := range p.owned.all() { // it is part of the slice where it has something at hand that is split
		n := p.functions[functionKey{function: f}]
		sensitive[n.ID], perReceiver[n.ID] = true, p.owned.isPerReceiver(f)
	}
	several := p.findSeveral(sensitive, perReceiver)
	isOne := func(o *Object) bool { return !several.are(o) }
	seen := make([]bool, len(p.objects))
	subjects := slices.DeleteFunc(all, isOne)
	candidates := p.leadTo(subjects, seen)
	candidates = append(candidates, p.unseen(slices.DeleteFunc(reached, isOne), seen)...)
	connected := len(candidates)
	candidates = append(candidates, p.leadTo(slices.DeleteFunc(p.receivers(several), isOne), seen)...)
	candidates = append(candidates, p.unseen(p.allocated(several, sensitive, isReached), seen)...)
	p.findHolders(candidates, len(subjects), most/32)
	split := func(o *Object) {
		p.split[o.ID] = true
		for _, id := range p.holders[p.dense[o.ID]] {
			p.include(id)
		}
	}
	p.forAffordable(candidates[:connected], len(subjects), most-p.size, split)
	p.forAffordable(p.cheapFirst(candidates[connected:]), 0, unconnected(most)-p.size, split)
}

// cheapFirst sorts the objects by what a slice with one of them costs.
func (p *plan) cheapFirst(objects []*Object) []*Object {
	cost := make(map[*Object]int, len(objects))
	for _, o := range objects {
		for _, id := range p.holders[p.dense[o.ID]] {
			cost[o] += p.instructions(p.order[id])
		}
	}
	slices.SortStableFunc(objects, func(a, b *Object) int { return cost[a] - cost[b] })
	return objects
}

// forAffordable calls do for the objects one of which after another a slice may have, as it
// stays small: but for the first ones, whose cost does not matter.
func (p *plan) forAffordable(objects []*Object, first, most int, do func(*Object)) {
	size, slice := 0, slices.Clone(p.slice)
	for i, o := range objects {
		at := p.dense[o.ID]
		if p.wide[at] {
			continue
		}
		cost := 0
		for _, id := range p.holders[at] {
			if !slice[id] {
				cost += p.instructions(p.order[id])
			}
		}
		if i < first || size+cost <= most {
			size += cost
			for _, id := range p.holders[at] {
				slice[id] = true
			}
			do(o)
		}
	}
}

// include puts a call-graph node into the slice.
func (p *plan) include(id int32) {
	if !p.slice[id] {
		p.slice[id] = true
		p.size += p.instructions(p.order[id])
	}
}

// instructions counts the instructions that n has constraints for.
func (p *plan) instructions(n *Node) int {
	if n.traits.external {
		return 0
	}
	return n.countInstructions()
}

// leadTo returns the objects and what they lead to, breadth first, without those that have
// been seen.
func (p *plan) leadTo(objects []*Object, seen []bool) []*Object {
	all := p.unseen(objects, seen)
	followed := make([]bool, len(p.index.sets))
	for i := 0; i < len(all); i++ {
		o := all[i]
		for c := o.base; c < o.base+uint32(o.layout.size()); c++ {
			if id := p.cells[c].content; id != 0 {
				_, number := p.setOf(id)
				if followed[number] {
					continue
				}
				followed[number] = true
				for label := range p.index.sets[number].all {
					if c := p.plain(label); c != 0 && !seen[p.cells[c].object] {
						all = append(all, p.unseen([]*Object{p.objectOf(c)}, seen)...)
					}
				}
			}
		}
	}
	return all
}

// unseen returns those of the objects that can be split and have not been seen.
func (p *plan) unseen(objects []*Object, seen []bool) (all []*Object) {
	for _, o := range objects {
		if !seen[o.ID] && canSplit(o) {
			seen[o.ID] = true
			all = append(all, o)
		}
	}
	return all
}

// canSplit reports whether a refinement can make its own object: not for a function,
// and for what has no allocation.
func canSplit(o *Object) bool {
	if f, ok := o.Site.(*ssa.Function); ok {
		return f.Parent() != nil
	}
	return o.Site != nil
}

// subjects returns the objects that are, or have a part, of a type asked about.
func (p *plan) subjects() []*Object {
	if p.sensitivity.Subject == nil {
		return nil
	}
	return p.facts.objectsWith(p.sensitivity.Subject)
}

// receivers returns the objects on which sensitive methods run that have several.
func (p *plan) receivers(v *several) []*Object {
	var all []*Object
	for _, n := range v.receivers {
		if v.functions[n.ID] {
			for _, c := range p.receiversOf(n) {
				all = append(all, p.objectOf(c))
			}
		}
	}
	return all
}

// receiversOf returns the cells on which a method with a pointer for a receiver runs.
func (p *plan) receiversOf(n *Node) []uint32 {
	var cells []uint32
	if v := n.values[n.Func.Params[0]]; v != 0 {
		for label := range p.node(p.find(v)).points.all {
			if c := p.plain(label); c != 0 {
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// allocated returns the objects that sensitive functions, and literals in them, make if
// there are several: but for data of helpers to which nothing that is asked about leads, given what
// is reached from there. Whose that is makes no difference to anything.
func (p *plan) allocated(v *several, sensitive, reached []bool) []*Object {
	var all []*Object
	for _, o := range p.objects[1:] {
		if o.Site == nil || !v.objects[o.ID] {
			continue
		}
		for f := o.Site.Parent(); f != nil; f = f.Parent() {
			if n := p.functions[functionKey{function: f}]; n != nil && sensitive[n.ID] {
				if reached[o.ID] || !n.traits.helper || !isData(o) {
					all = append(all, o)
				}
				break
			}
		}
	}
	return all
}

// isData reports whether the object has neither pointers nor parts that synchronise.
func isData(o *Object) bool {
	return o.kind == memory && len(o.layout.slots) == 0 && !slices.ContainsFunc(o.layout.types, isSynchronisation)
}

// findHolders finds the call-graph nodes with a value that may point to one of the objects,
// unless they are known. Those of objects after the first ones, of which there are more than
// limit, are nothing that a slice could have: they are not kept.
func (p *plan) findHolders(objects []*Object, first, limit int) {
	begin := int32(len(p.holders))
	unknown := []*Object{}
	for i, o := range objects {
		if i == first {
			p.first = int32(len(p.holders))
		}
		if p.dense[o.ID] == 0 {
			p.dense[o.ID] = int32(len(p.holders))
			p.holders, p.wide = append(p.holders, nil), append(p.wide, false)
			unknown = append(unknown, o)
		}
	}
	if len(objects) <= first {
		p.first = int32(len(p.holders))
	}
	if p.limit = limit; len(unknown) == 0 {
		return
	}
	all, buffer := p.region(unknown), []int32(nil)
	for _, manyFirst := range []bool{true, false} { // what is in a set that too many have is done with at once
		for number, labels := range p.index.sets {
			owners := p.index.ownersOf(uint32(number))
			if (len(owners) > limit) != manyFirst || !all.meets(labels) {
				continue
			}
			buffer = append(buffer[:0], owners...)
			owners = p.distinct(buffer)
			for object := range all.objectsIn(p.solver, labels) {
				if !p.addHolders(object, owners) {
					all.remove(p.objects[object])
				}
			}
		}
	}
	for i := begin; i < int32(len(p.holders)); i++ {
		p.compact(i)
	}
}

// distinct drops what is there twice.
func (p *plan) distinct(nodes []int32) []int32 {
	p.search++
	return slices.DeleteFunc(nodes, func(id int32) bool {
		again := p.met[id] == p.search
		p.met[id] = p.search
		return again
	})
}

// addHolders notes that values of different call-graph nodes may point to the object. It reports
// whether there can be more.
func (p *plan) addHolders(object int32, nodes []int32) bool {
	i := p.dense[object]
	switch {
	case i >= p.first && len(nodes) > p.limit:
		p.wide[i], p.holders[i] = true, nil
	case !p.wide[i]:
		p.holders[i] = append(p.holders[i], nodes...)
		if len(p.holders[i]) > 2*p.limit {
			p.compact(i)
		}
	}
	return !p.wide[i]
}

// compact drops holders of an object that are there twice, and finds out whether they are more
// nodes than can be kept.
func (p *plan) compact(i int32) {
	if p.wide[i] {
		return
	}
	p.holders[i] = p.distinct(p.holders[i])
	if p.wide[i] = i >= p.first && len(p.holders[i]) > p.limit; p.wide[i] {
		p.holders[i] = nil
	}
}
