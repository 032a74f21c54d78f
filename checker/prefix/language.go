package prefix

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
// first letter the language of the rests.
type node struct {
	complete, cut bool
	edges         []edge // ascending
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
// When a limit is passed the domain is full: from then on the operations return
// something at once that is not their result.
type domain struct {
	k     int
	limit int // on languages; 0: none
	full  bool

	nodes  []node
	index  []language // of the nodes, by open addressing; nothing is free
	arena  []edge     // of the nodes
	edges  []edge     // of the nodes that operations in progress are making
	unions memo
	joins  []memo // by letters left
	cuts   []memo // by letters left
}

func newDomain(k, limit int) *domain {
	d := &domain{k: k, limit: limit, index: make([]language, 64), joins: make([]memo, k+1), cuts: make([]memo, k+1)}
	d.nodes = []node{{}} // nothing
	d.intern(true, false, 0)
	d.intern(false, true, 0)
	return d
}

// Zero, One, Combine, Extend and Full implement poststar.Semiring.
func (d *domain) Zero() language                 { return nothing }
func (d *domain) One() language                  { return empty }
func (d *domain) Combine(a, b language) language { return d.union(a, b) }
func (d *domain) Extend(a, b language) language  { return d.join(a, b, d.k) }
func (d *domain) Full() bool                     { return d.full }

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
	from := len(d.edges)
	i, j := 0, 0
	for i < len(x.edges) || j < len(y.edges) {
		switch {
		case j == len(y.edges) || i < len(x.edges) && x.edges[i].letter < y.edges[j].letter:
			d.edges = append(d.edges, x.edges[i])
			i++
		case i == len(x.edges) || x.edges[i].letter > y.edges[j].letter:
			d.edges = append(d.edges, y.edges[j])
			j++
		default:
			rest := d.union(x.edges[i].rest, y.edges[j].rest)
			d.edges = append(d.edges, edge{x.edges[i].letter, rest})
			i++
			j++
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
	for _, e := range x.edges {
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
	for _, e := range x.edges {
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
	if 2*len(d.nodes) >= len(d.index) {
		d.grow()
	}
	n := node{complete, cut, edges}
	slot := d.slot(n)
	if d.index[slot] != nothing {
		return d.index[slot]
	}
	l := language(len(d.nodes))
	at := len(d.arena)
	d.arena = append(d.arena, edges...)
	n.edges = d.arena[at:len(d.arena):len(d.arena)]
	d.nodes = append(d.nodes, n)
	d.index[slot] = l
	d.full = d.full || d.limit > 0 && len(d.nodes) > d.limit
	return l
}

// slot returns the place of a node in the index, or the free one for it.
func (d *domain) slot(n node) int {
	h := hash(uint64(len(n.edges))<<2 + flag(n.complete) + 2*flag(n.cut))
	for _, e := range n.edges {
		h = hash(h ^ pack(language(e.letter), e.rest))
	}
	mask := len(d.index) - 1
	i := int(h>>32) & mask
	for d.index[i] != nothing && !d.nodes[d.index[i]].equal(n) {
		i = (i + 1) & mask
	}
	return i
}

func (n node) equal(m node) bool {
	if n.complete != m.complete || n.cut != m.cut || len(n.edges) != len(m.edges) {
		return false
	}
	for i, e := range n.edges {
		if e != m.edges[i] {
			return false
		}
	}
	return true
}

func (d *domain) grow() {
	d.index = make([]language, 4*len(d.index))
	for l := empty; int(l) < len(d.nodes); l++ {
		d.index[d.slot(d.nodes[l])] = l
	}
}

// remember keeps a result, unless it is none because the domain is full.
func (d *domain) remember(m *memo, a, b, result language) language {
	if !d.full {
		m.put(a, b, result)
		d.full = d.limit > 0 && m.count > results*d.limit
	}
	return result
}
