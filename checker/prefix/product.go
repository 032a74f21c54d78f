package prefix

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/limit"
)

// product is the synchronised product of one language of each component. A
// component past a cut can do anything, for ever.
type product struct {
	domain  *domain
	letters *letters
	limit   int // on states; 0: none
	roots   []language

	tuples []language // the states, one after the other
	parent []int32
	letter []int32
	table  []int32 // open addressing: state + 1
	next   []language
	moves  int

	within []int32 // states with no component past a cut, in the order reached
	past   []int32 // the others; what follows them is others as well
	isCut  bool    // a cut word was found

	ctx     context.Context // of the search
	stopped bool            // the memory that is needed is too much: the context is done
}

// letters says which components have a letter in their alphabets.
type letters struct {
	members [][]int32 // by letter: the components
	first   [][]int32 // by component: the letters of which it is the first member
}

// outcome is what a product has.
type outcome uint8

const (
	noWord    outcome = iota // no word at all
	cutWord                  // only words of which some component has a cut prefix
	exactWord                // a word that all components have complete
	tooLarge
)

// newProduct returns a product for searches.
func newProduct(d *domain, l *letters, limit int) *product {
	return &product{domain: d, letters: l, limit: limit, table: make([]int32, 512)}
}

// reset forgets what was reached. It keeps the memory.
func (p *product) reset() {
	clear(p.table)
	p.tuples, p.parent, p.letter = p.tuples[:0], p.parent[:0], p.letter[:0]
	p.within, p.past = p.within[:0], p.past[:0]
	p.isCut, p.moves = false, 0
}

// search explores breadth-first from the roots; the word it returns is a shortest of the exact
// ones. States past a cut are no part of exact words: they are left for when there
// is nothing else, and then the first cut word is as good as any.
func (p *product) search(ctx context.Context, roots []language) (outcome, []int32, error) {
	p.reset()
	p.ctx, p.stopped = ctx, false
	p.roots = roots
	p.visit(p.roots, -1, -1)
	for _, queue := range []*[]int32{&p.within, &p.past} {
		for i := 0; i < len(*queue); i++ {
			if i&63 == 0 {
				if err := limit.Pay(ctx, 64*limit.State); err != nil {
					return tooLarge, nil, err
				}
			}
			if p.limit > 0 && len(p.parent) > p.limit {
				return tooLarge, nil, nil
			}
			s := (*queue)[i]
			switch p.kind(p.tuple(s)) {
			case exactWord:
				return exactWord, p.word(s), nil
			case cutWord:
				p.isCut = true
			}
			if p.isCut && queue == &p.past {
				break
			}
			p.expand(s)
			if p.stopped {
				return tooLarge, nil, ctx.Err()
			}
		}
		if p.isCut {
			return cutWord, nil, nil
		}
	}
	return noWord, nil, nil
}

// tuple returns a state. It is good until the next visit.
func (p *product) tuple(s int32) []language {
	width := len(p.roots)
	return p.tuples[int(s)*width : (int(s)+1)*width]
}

// kind tells whether the word to a state is in all languages, and how.
func (p *product) kind(tuple []language) outcome {
	kind := exactWord
	for _, l := range tuple {
		n := &p.domain.nodes[l]
		switch {
		case l == beyond || !n.complete && n.cut:
			kind = cutWord
		case !n.complete:
			return noWord
		}
	}
	return kind
}

// expand takes all moves from a state. A letter is tried once, for the first of
// its members, and only if that one can take it.
func (p *product) expand(s int32) {
	for c := range p.roots {
		n := p.domain.nodes[p.tuple(s)[c]]
		if n.cut {
			for _, letter := range p.letters.first[c] {
				p.move(s, letter)
			}
			continue
		}
		for _, e := range p.domain.edgesOf(n) {
			if p.letters.members[e.letter][0] == int32(c) {
				p.move(s, e.letter)
			}
		}
	}
}

// move takes a letter if all its members can. Where all of them are past a cut it
// changes nothing.
func (p *product) move(s, letter int32) {
	p.next = append(p.next[:0], p.tuple(s)...)
	changes := false
	for _, m := range p.letters.members[letter] {
		changes = changes || p.next[m] != beyond
		p.next[m] = p.follow(p.next[m], letter)
		if p.next[m] == nothing {
			return
		}
	}
	if changes {
		p.moves++
		p.visit(p.next, s, letter)
	}
}

// follow returns the rests of the words that begin with a letter. A letter past a
// cut leaves it.
func (p *product) follow(l language, letter int32) language {
	n := p.domain.nodes[l]
	edges := p.domain.edgesOf(n)
	if len(edges) > 8 {
		i, _ := slices.BinarySearchFunc(edges, letter, func(e edge, l int32) int { return int(e.letter - l) })
		edges = edges[i:]
	}
	for i := 0; i < len(edges) && edges[i].letter <= letter; i++ {
		if edges[i].letter == letter {
			return edges[i].rest
		}
	}
	if n.cut {
		return beyond
	}
	return nothing
}

// visit adds a state unless it was reached before, or does not matter any more.
func (p *product) visit(tuple []language, parent, letter int32) {
	past := slices.Contains(tuple, beyond)
	if past && p.isCut {
		return
	}
	if p.stopped = p.stopped || !limit.Allow(p.ctx, p.growth()); p.stopped {
		return
	}
	if 2*len(p.parent) >= len(p.table) {
		p.grow()
	}
	slot := p.slot(tuple)
	if p.table[slot] != 0 {
		return
	}
	s := int32(len(p.parent))
	p.table[slot] = s + 1
	p.tuples = append(p.tuples, tuple...)
	p.parent = append(p.parent, parent)
	p.letter = append(p.letter, letter)
	if past {
		p.past = append(p.past, s)
	} else {
		p.within = append(p.within, s)
	}
}

// growth returns how many bytes one more state may take.
func (p *product) growth() (bytes int) {
	if n := len(p.tuples) + len(p.roots); n > cap(p.tuples) {
		bytes += 4 * (n + n/2)
	}
	if n := len(p.parent) + 1; n > cap(p.parent) {
		bytes += 4 * 4 * (n + n/2)
	}
	if 2*len(p.parent) >= len(p.table) {
		bytes += 4 * 4 * len(p.table)
	}
	return bytes
}

// slot returns the place of a state in the table, or the free one for it.
func (p *product) slot(tuple []language) int {
	h := uint64(len(tuple))
	for _, l := range tuple {
		h = (h ^ uint64(l)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	mask := len(p.table) - 1
	i := int(h>>32) & mask
	for p.table[i] != 0 && !slices.Equal(p.tuple(p.table[i]-1), tuple) {
		i = (i + 1) & mask
	}
	return i
}

func (p *product) grow() {
	p.table = make([]int32, 4*len(p.table))
	for s := range p.parent {
		p.table[p.slot(p.tuple(int32(s)))] = int32(s) + 1
	}
}

func (p *product) word(s int32) []int32 {
	word := []int32{}
	for ; p.parent[s] >= 0; s = p.parent[s] {
		word = append(word, p.letter[s])
	}
	slices.Reverse(word)
	return word
}
