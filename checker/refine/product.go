package refine

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/limit"
)

// product is the synchronised product of the components' automata, explored
// breadth-first. Its states are tuples of states, hash-consed in one array.
type product struct {
	labels  *automaton.Labels
	parts   []*automaton.Automaton // sorted, without silent edges
	members [][]int32              // by letter: the components that have it in their alphabet
	leader  []int32                // by letter: the member that is asked first
	reach   [][]automaton.Set      // by component and state: labels that may still come

	// The components of which not all states accept with all labels, and those of which
	// not all reach a state that does. Most do.
	picky, mortal []int32

	*states
	moves int
	next  []int32 // scratch: the tuple being made

	shift   int             // a block has 1<<shift tuples
	ctx     context.Context // of the search
	stopped bool            // the memory that is needed is too much: the context is done

	stubborn    stubborn
	subsumption subsumption
}

// states is the states of a product. What is in the slices is done with when the product
// is: they are used again.
type states struct {
	blocks [][]int32 // of tuples: none is copied when there are more
	hashes []uint32
	parent []int32
	letter []int32
	table  []int32 // open addressing: state + 1
	marks  marks   // of the hashes in the table
}

// blockSize is the length of a block, unless a tuple is longer.
const blockSize = 1 << 13

// keptStates is up to how many states a product may have had for its memory to be kept.
const keptStates = 1 << 14

const firstTable = 256

// newProduct prepares a product of automata; members are, by letter, those that take part.
func (d *decision) newProduct(parts []*automaton.Automaton) *product {
	used, _ := d.memo.states.Get().(*states)
	if used == nil {
		used = &states{table: make([]int32, firstTable), marks: marksFor(firstTable)}
	}
	return newProduct(d.labels, parts, d.members, used)
}

// release gives back the memory of a product, of which nothing is used any more.
func (d *decision) release(p *product) {
	if s := p.states; len(s.parent) <= keptStates {
		s.table = s.table[:firstTable]
		clear(s.table)
		s.marks = s.marks.emptied(firstTable)
		s.hashes, s.parent, s.letter = s.hashes[:0], s.parent[:0], s.letter[:0]
		if len(p.parts) > blockSize {
			s.blocks = nil
		}
		d.memo.states.Put(s)
	}
	p.states = nil
}

func newProduct(labels *automaton.Labels, parts []*automaton.Automaton, members [][]int32, s *states) *product {
	p := &product{
		labels: labels, parts: parts, members: members, states: s,
		leader: make([]int32, len(members)),
		next:   make([]int32, len(parts)),
	}
	if n := len(parts); n > blockSize {
		s.blocks = nil // they are too short
	} else {
		p.shift = bits.Len(uint(blockSize/max(1, n))) - 1
	}
	p.chooseLeaders()
	notAll := func(set automaton.Set) bool { return set != labels.All() }
	for i, a := range parts {
		reach := a.Accept
		if slices.ContainsFunc(a.Accept, notAll) {
			p.picky = append(p.picky, int32(i))
			if reach = a.CanReach(labels); slices.ContainsFunc(reach, notAll) {
				p.mortal = append(p.mortal, int32(i))
			}
		}
		p.reach = append(p.reach, reach)
	}
	return p
}

// chooseLeaders picks for each letter the member in which it is rarest, compared
// with its number of states.
func (p *product) chooseLeaders() {
	best := make([]float64, len(p.members))
	for a := range best {
		best[a] = -1
	}
	count := make([]int, len(p.members))
	for i, part := range p.parts {
		clear(count)
		for _, edges := range part.Edges {
			for _, e := range edges {
				count[e.Letter]++
			}
		}
		for a, members := range p.members {
			for _, m := range members {
				if share := float64(count[a]) / float64(part.States()); int(m) == i && (best[a] < 0 || share < best[a]) {
					best[a], p.leader[a] = share, int32(i)
				}
			}
		}
	}
}

// search explores the product. When it finds a word for labels of open, the first
// for each, hence a shortest, it calls found, which returns the labels that are to
// be searched no longer. Before it comes to words of a length it calls longer, which
// likewise returns labels: none of those that are still open has a shorter word. It
// returns what is left of open when nothing is left to explore: no word of the product
// has a label of it.
func (p *product) search(ctx context.Context, open automaton.Set, most int,
	found func(automaton.Set, []int32) (automaton.Set, error), longer func(length int, open automaton.Set) automaton.Set) (
	automaton.Set, error) {
	p.ctx = ctx
	for i, a := range p.parts {
		p.next[i] = a.Start
	}
	p.visit(-1, -1, hash(p.next), open)
	length, last := -1, int32(0)
	cost, visited := p.stateCost(), int32(0)
	defer func() { limit.Pay(ctx, cost*limit.Work(visited&63)) }()
	for s := int32(0); int(s) < len(p.parent) && open != automaton.None; s++ {
		if s == last {
			length, last = length+1, int32(len(p.parent))
			open = p.labels.Without(open, longer(length, open))
		}
		if visited = s; s&63 == 0 {
			if err := limit.Pay(ctx, cost*limit.Work(min(s, 64))); err != nil {
				return open, err
			}
		}
		if most > 0 && len(p.parent) > most {
			return open, errStates
		}
		if hit := p.accepts(s, open); hit != automaton.None {
			done, err := found(hit, p.word(s))
			if err != nil {
				return open, err
			}
			open = p.labels.Without(open, done)
		}
		if p.alive(p.tuple(s), open) {
			p.expand(s, open)
		}
		if p.stopped {
			return open, cmp.Or(ctx.Err(), errStates)
		}
	}
	return open, nil
}

// fewParts is up to how many components a state takes no longer for their number. Of more, all are
// looked at for each in turn that has a letter to take.
const fewParts = 20

// stateCost returns the work of a state.
func (p *product) stateCost() limit.Work {
	n := limit.Work(max(fewParts, len(p.parts)))
	return limit.State * n * n / (fewParts * fewParts)
}

func (p *product) tuple(s int32) []int32 {
	n := len(p.parts)
	at := int(s) & (1<<p.shift - 1) * n
	return p.blocks[s>>p.shift][at : at+n]
}

// accepts returns the labels of open with which all components accept.
func (p *product) accepts(s int32, open automaton.Set) automaton.Set {
	tuple := p.tuple(s)
	for _, i := range p.picky {
		open = p.labels.Intersect(open, p.parts[i].Accept[tuple[i]])
	}
	return open
}

// alive tells whether each component can still accept with one of the labels.
func (p *product) alive(tuple []int32, open automaton.Set) bool {
	for _, i := range p.mortal {
		open = p.labels.Intersect(open, p.reach[i][tuple[i]])
	}
	return open != automaton.None
}

// expand visits the successors of a state by the letters of a stubborn set.
func (p *product) expand(s int32, open automaton.Set) {
	p.choose(p.tuple(s), open)
	for i, part := range p.parts {
		if !p.isRequired(i) {
			continue
		}
		previous := int32(-1)
		for _, e := range part.Edges[p.tuple(s)[i]] {
			if e.Letter != previous && p.leader[e.Letter] == int32(i) {
				copy(p.next, p.tuple(s))
				p.step(s, e.Letter, p.members[e.Letter], p.hashes[s], open)
			}
			previous = e.Letter
		}
	}
}

// step lets the members left take a letter in all ways, then visits. The hash is that of next.
func (p *product) step(s, letter int32, left []int32, hash uint32, open automaton.Set) {
	for n, m := range left {
		old := p.next[m]
		edges := p.parts[m].On(old, letter)
		if len(edges) == 1 {
			p.next[m] = edges[0].To
			hash = rehash(hash, int(m), old, edges[0].To)
			continue
		}
		for _, e := range edges {
			p.next[m] = e.To
			p.step(s, letter, left[n+1:], rehash(hash, int(m), old, e.To), open)
			from := p.tuple(s)
			for _, k := range left[n+1:] {
				p.next[k] = from[k]
			}
		}
		return
	}
	p.moves++
	p.visit(s, letter, hash, open)
}

// visit adds the tuple in next, which has the hash, unless it is known, can lead to no label
// of open, or is subsumed.
func (p *product) visit(parent, letter int32, hash uint32, open automaton.Set) {
	if 2*len(p.parent) >= len(p.table) {
		if p.stopped = p.stopped || !limit.Allow(p.ctx, 4*(4*len(p.table)+bytesOfMarks(len(p.table)))); p.stopped {
			return
		}
		p.grow()
	}
	slot := p.slot(p.next, hash)
	if p.table[slot] != 0 || !p.alive(p.next, open) || p.subsumed(hash) {
		return
	}
	if !p.fits() {
		return
	}
	s := int32(len(p.parent))
	if int(s>>p.shift) == len(p.blocks) {
		p.blocks = append(p.blocks, make([]int32, max(blockSize, len(p.parts))))
	}
	copy(p.tuple(s), p.next)
	p.hashes = append(p.hashes, hash)
	p.parent = append(p.parent, parent)
	p.letter = append(p.letter, letter)
	p.table[slot] = int32(len(p.parent))
	p.marks.add(hash)
}

// fits tells whether there may be memory for one more state; if not, the context is done.
// Slices grow to one and a half their size at most once they are large.
func (p *product) fits() bool {
	if n := len(p.parent) + 1; n > cap(p.parent) && !limit.Allow(p.ctx, 3*4*(n+n/2)) {
		p.stopped = true
	}
	return !p.stopped
}

// hash is the sum of a number for each component and state: where one state changes, so
// does one summand.
func hash(tuple []int32) uint32 {
	h := uint32(0)
	for i, q := range tuple {
		h += hashOf(i, q)
	}
	return h
}

// rehash returns the hash of a tuple in which a component's state has been replaced.
func rehash(hash uint32, part int, from, to int32) uint32 {
	return hash - hashOf(part, from) + hashOf(part, to)
}

func hashOf(part int, state int32) uint32 {
	h := (uint64(part)<<32 | uint64(uint32(state))) * 0x9E3779B97F4A7C15
	h = (h ^ h>>32) * 0xD6E8FEB86659FD93
	return uint32(h >> 32)
}

// slot returns the place of a tuple with a hash in the table, or the free one for it.
func (p *product) slot(tuple []int32, hash uint32) uint32 {
	mask := uint32(len(p.table) - 1)
	i := hash & mask
	for p.table[i] != 0 {
		if s := p.table[i] - 1; p.hashes[s] == hash && equal(p.tuple(s), tuple) {
			break
		}
		i = (i + 1) & mask
	}
	return i
}

func equal(a, b []int32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (p *product) grow() {
	if n := 4 * len(p.table); n <= cap(p.table) {
		p.table = p.table[:n]
		clear(p.table)
	} else {
		p.table = make([]int32, n)
	}
	p.marks = p.marks.emptied(len(p.table))
	mask := uint32(len(p.table) - 1)
	for s, hash := range p.hashes {
		p.marks.add(hash)
		i := hash & mask
		for p.table[i] != 0 {
			i = (i + 1) & mask
		}
		p.table[i] = int32(s + 1)
	}
	p.prepare(min(simulationWork*len(p.parent), simulationLimit))
}

// word returns the letters on the way to a state.
func (p *product) word(s int32) []int32 {
	n := 0
	for t := s; p.parent[t] >= 0; t = p.parent[t] {
		n++
	}
	word := make([]int32, n)
	for t := s; p.parent[t] >= 0; t = p.parent[t] {
		n--
		word[n] = p.letter[t]
	}
	return word
}
