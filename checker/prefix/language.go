package prefix

import "encoding/binary"

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

// domain holds the languages of one word length. It is the semiring of weights.
type domain struct {
	k      int
	nodes  []node
	index  map[string]language
	unions map[[2]language]language
	joins  map[[3]int32]language
}

func newDomain(k int) *domain {
	d := &domain{
		k: k, index: map[string]language{},
		unions: map[[2]language]language{}, joins: map[[3]int32]language{},
	}
	d.intern(node{})
	d.intern(node{complete: true})
	d.intern(node{cut: true})
	return d
}

// Zero, One, Combine and Extend implement poststar.Semiring.
func (d *domain) Zero() language                 { return nothing }
func (d *domain) One() language                  { return empty }
func (d *domain) Combine(a, b language) language { return d.union(a, b) }
func (d *domain) Extend(a, b language) language  { return d.join(a, b, int32(d.k)) }

// letter returns the language of one word of one letter, empty if it is silent.
func (d *domain) letter(letter int32) language {
	if letter < 0 {
		return empty
	}
	if d.k == 0 {
		return beyond
	}
	return d.intern(node{edges: []edge{{letter, empty}}})
}

func (d *domain) union(a, b language) language {
	switch {
	case a == b || b == nothing:
		return a
	case a == nothing:
		return b
	case a > b:
		a, b = b, a
	}
	key := [2]language{a, b}
	if u, ok := d.unions[key]; ok {
		return u
	}
	x, y := d.nodes[a], d.nodes[b]
	out := node{complete: x.complete || y.complete, cut: x.cut || y.cut}
	i, j := 0, 0
	for i < len(x.edges) || j < len(y.edges) {
		switch {
		case j == len(y.edges) || i < len(x.edges) && x.edges[i].letter < y.edges[j].letter:
			out.edges = append(out.edges, x.edges[i])
			i++
		case i == len(x.edges) || x.edges[i].letter > y.edges[j].letter:
			out.edges = append(out.edges, y.edges[j])
			j++
		default:
			out.edges = append(out.edges, edge{x.edges[i].letter, d.union(x.edges[i].rest, y.edges[j].rest)})
			i++
			j++
		}
	}
	u := d.intern(out)
	d.unions[key] = u
	return u
}

// join returns the words of a followed by those of b, cut after left letters. A
// cut word is not lengthened.
func (d *domain) join(a, b language, left int32) language {
	if a == nothing || b == nothing {
		return nothing
	}
	if a == empty && left == int32(d.k) {
		return b
	}
	if b == empty {
		return a
	}
	key := [3]int32{int32(a), int32(b), left}
	if r, ok := d.joins[key]; ok {
		return r
	}
	x := d.nodes[a]
	out := nothing
	if x.cut {
		out = beyond
	}
	if x.complete {
		out = d.union(out, d.shorten(b, left))
	}
	var rest node
	for _, e := range x.edges {
		if r := d.join(e.rest, b, left-1); r != nothing {
			rest.edges = append(rest.edges, edge{e.letter, r})
		}
	}
	out = d.union(out, d.intern(rest))
	d.joins[key] = out
	return out
}

// shorten cuts the words of a language after left letters.
func (d *domain) shorten(a language, left int32) language {
	if left >= int32(d.k) {
		return a
	}
	key := [3]int32{-1, int32(a), left}
	if r, ok := d.joins[key]; ok {
		return r
	}
	x := d.nodes[a]
	out := node{complete: x.complete, cut: x.cut}
	if left == 0 {
		out.cut = out.cut || len(x.edges) > 0
	} else {
		for _, e := range x.edges {
			out.edges = append(out.edges, edge{e.letter, d.shorten(e.rest, left-1)})
		}
	}
	r := d.intern(out)
	d.joins[key] = r
	return r
}

func (d *domain) intern(n node) language {
	key := make([]byte, 1, 1+8*len(n.edges))
	if n.complete {
		key[0] |= 1
	}
	if n.cut {
		key[0] |= 2
	}
	for _, e := range n.edges {
		key = binary.LittleEndian.AppendUint32(key, uint32(e.letter))
		key = binary.LittleEndian.AppendUint32(key, uint32(e.rest))
	}
	if l, ok := d.index[string(key)]; ok {
		return l
	}
	l := language(len(d.nodes))
	d.nodes = append(d.nodes, n)
	d.index[string(key)] = l
	return l
}
