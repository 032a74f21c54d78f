package prefix

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/limit"
)

// language is a finite set of words of at most k letters, each complete or cut:
// a cut word stands for all words that it begins. It is a state of one
// shared, minimal acyclic automaton, so equal sets are equal numbers.
type language int32

const (
	nothing language = iota // no word
	empty                   // the empty word
	beyond                  // the empty word, cut: all words
)

// node is what a language contains: the empty word, complete or cut, and for each
// first letter the language of the rests: the edges first to end-1 of the domain's
// arena, ascending.
type node struct {
	first, end    int32
	complete, cut bool
}

type edge struct {
	letter int32
	rest   language
}

// results bounds the remembered results of each operation: so many for each
// language that is allowed.
const results = 16

// domain holds the languages of one word length. It is the semiring of weights.
//
// When the limit is passed or the context is done the domain is full: from then on
// the operations return something at once that is not their result.
type domain struct {
	ctx   context.Context
	k     int
	limit int // on languages; 0: none
	full  bool
	steps int // operations, to look at the context now and then

	nodes  []node
	index  []language // of the nodes, by open addressing; nothing is free
	arena  []edge     // of the nodes
	edges  []edge     // of the nodes that operations in progress are making
	unions memo
	joins  []memo // by letters left
	cuts   []memo // by letters left
}

func newDomain(ctx context.Context, k, limit int) *domain {
	const size = 256 // few domains are smaller
	d := &domain{
		ctx: ctx, limit: limit, nodes: make([]node, 0, size), index: make([]language, 2*size),
		arena: make([]edge, 0, 2*size), edges: make([]edge, 0, size),
	}
	d.reset(k)
	return d
}

// reset empties the domain, for another word length. It keeps the memory.
func (d *domain) reset(k int) {
	d.k, d.full = k, false
	d.nodes = append(d.nodes[:0], node{}) // nothing
	d.arena, d.edges = d.arena[:0], d.edges[:0]
	clear(d.index)
	d.intern(true, false, 0)
	d.intern(false, true, 0)
	d.unions.reset()
	for len(d.joins) <= k {
		d.joins, d.cuts = append(d.joins, memo{}), append(d.cuts, memo{})
	}
	for i := range d.joins {
		d.joins[i].reset()
		d.cuts[i].reset()
	}
}

// Zero, One, Combine, Extend and Full implement poststar.Semiring.
func (d *domain) Zero() language                 { return nothing }
func (d *domain) One() language                  { return empty }
func (d *domain) Combine(a, b language) language { return d.union(a, b) }
func (d *domain) Extend(a, b language) language  { return d.join(a, b, d.k) }
func (d *domain) Full() bool                     { d.step(); return d.full }

// step looks at the context every so many operations.
func (d *domain) step() {
	d.steps++
	if d.steps&1023 == 0 && limit.Pay(d.ctx, 1024*limit.Transition) != nil {
		d.full = true
	}
}

// letter returns the language of one word of one letter, empty if it is silent.
func (d *domain) letter(letter int32) language {
	if letter < 0 {
		return empty
	}
	if d.k == 0 {
		return beyond
	}
	from := len(d.edges)
	d.edges = append(d.edges, edge{letter, empty})
	return d.intern(false, false, from)
}

func (d *domain) union(a, b language) language {
	switch {
	case a == b || b == nothing || d.full:
		return a
	case a == nothing:
		return b
	case a > b:
		a, b = b, a
	}
	if u, ok := d.unions.get(a, b); ok {
		return u
	}
	x, y := d.nodes[a], d.nodes[b]
	left, right := d.edgesOf(x), d.edgesOf(y)
	from := len(d.edges)
	for len(left) > 0 || len(right) > 0 {
		switch {
		case len(right) == 0 || len(left) > 0 && left[0].letter < right[0].letter:
			d.edges = append(d.edges, left[0])
			left = left[1:]
		case len(left) == 0 || left[0].letter > right[0].letter:
			d.edges = append(d.edges, right[0])
			right = right[1:]
		default:
			rest := d.union(left[0].rest, right[0].rest)
			d.edges = append(d.edges, edge{left[0].letter, rest})
			left, right = left[1:], right[1:]
		}
	}
	u := d.intern(x.complete || y.complete, x.cut || y.cut, from)
	return d.remember(&d.unions, a, b, u)
}

// join returns the words of a followed by those of b, cut after left letters. A
// cut word is not lengthened.
func (d *domain) join(a, b language, left int) language {
	switch {
	case a == nothing || b == nothing || d.full:
		return nothing
	case a == empty:
		return d.shorten(b, left)
	case b == empty:
		return a
	}
	if r, ok := d.joins[left].get(a, b); ok {
		return r
	}
	x := d.nodes[a]
	from := len(d.edges)
	for _, e := range d.edgesOf(x) {
		if rest := d.join(e.rest, b, left-1); rest != nothing {
			d.edges = append(d.edges, edge{e.letter, rest})
		}
	}
	out := d.intern(false, x.cut, from)
	if x.complete {
		out = d.union(out, d.shorten(b, left))
	}
	return d.remember(&d.joins[left], a, b, out)
}

// shorten cuts the words of a language after left letters.
func (d *domain) shorten(a language, left int) language {
	if left >= d.k || d.full {
		return a
	}
	if r, ok := d.cuts[left].get(a, a); ok {
		return r
	}
	x := d.nodes[a]
	from := len(d.edges)
	cut := x.cut
	for _, e := range d.edgesOf(x) {
		if left == 0 {
			cut = true
			break
		}
		rest := d.shorten(e.rest, left-1)
		d.edges = append(d.edges, edge{e.letter, rest})
	}
	return d.remember(&d.cuts[left], a, a, d.intern(x.complete, cut, from))
}

// intern returns the language with the edges that were made from a place on.
func (d *domain) intern(complete, cut bool, from int) language {
	edges := d.edges[from:]
	d.edges = d.edges[:from]
	if !complete && !cut && len(edges) == 0 {
		return nothing
	}
	if !d.fits(len(edges)) {
		return nothing
	}
	if 2*len(d.nodes) >= len(d.index) {
		d.grow()
	}
	slot := d.slot(complete, cut, edges)
	if d.index[slot] != nothing {
		return d.index[slot]
	}
	l := language(len(d.nodes))
	first := int32(len(d.arena))
	d.arena = append(d.arena, edges...)
	d.nodes = append(d.nodes, node{first, int32(len(d.arena)), complete, cut})
	d.index[slot] = l
	d.full = d.full || d.limit > 0 && len(d.nodes) > d.limit
	return l
}

// fits tells whether there may be memory for one more language with so many edges; if not,
// the domain is full.
func (d *domain) fits(edges int) bool {
	bytes := 0
	if n := len(d.nodes) + 1; n > cap(d.nodes) {
		bytes += 12 * (n + n/2)
	}
	if n := len(d.arena) + edges; n > cap(d.arena) {
		bytes += 8 * (n + n/2)
	}
	if 2*len(d.nodes) >= len(d.index) {
		bytes += 4 * 4 * len(d.index)
	}
	d.full = d.full || !limit.Allow(d.ctx, bytes)
	return !d.full
}

// slot returns the place of a node in the index, or the free one for it.
func (d *domain) slot(complete, cut bool, edges []edge) int {
	h := hash(uint64(len(edges))<<2 + flag(complete) + 2*flag(cut))
	for _, e := range edges {
		h = hash(h ^ pack(language(e.letter), e.rest))
	}
	mask := len(d.index) - 1
	i := int(h>>32) & mask
	for ; d.index[i] != nothing; i = (i + 1) & mask {
		n := d.nodes[d.index[i]]
		if n.complete == complete && n.cut == cut && slices.Equal(d.edgesOf(n), edges) {
			break
		}
	}
	return i
}

// edgesOf returns the edges of a node.
func (d *domain) edgesOf(n node) []edge { return d.arena[n.first:n.end] }

func (d *domain) grow() {
	d.index = make([]language, 4*len(d.index))
	for l := empty; int(l) < len(d.nodes); l++ {
		n := d.nodes[l]
		d.index[d.slot(n.complete, n.cut, d.edgesOf(n))] = l
	}
}

// remember keeps a result, unless it is none because the domain is full.
func (d *domain) remember(m *memo, a, b, result language) language {
	d.step()
	if 2*m.count >= len(m.keys) && !limit.Allow(d.ctx, 4*12*len(m.keys)) {
		d.full = true
	}
	if !d.full {
		m.put(a, b, result)
		d.full = d.limit > 0 && m.count > results*d.limit
	}
	return result
}
