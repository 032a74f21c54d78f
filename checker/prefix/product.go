package prefix

import (
	"context"
	"encoding/binary"
	"slices"
)

// product is the synchronised product of one language of each component. A
// component past a cut can do anything, for ever.
type product struct {
	domain  *domain
	roots   []language
	members [][]int32 // by letter: the components that have it in their alphabet
	limit   int

	tuples [][]language
	parent []int32
	letter []int32
	index  map[string]int32
	moves  int
}

// outcome is what a product has.
type outcome uint8

const (
	noWord    outcome = iota // no word at all
	cutWord                  // only words of which some component has a cut prefix
	exactWord                // a word that all components have complete
	tooLarge
)

// search explores breadth-first; the word it returns is a shortest of the exact
// ones.
func (p *product) search(ctx context.Context) (outcome, []int32, error) {
	p.index = map[string]int32{}
	p.visit(slices.Clone(p.roots), -1, -1)
	result := noWord
	for s := 0; s < len(p.tuples); s++ {
		if s&1023 == 0 && ctx.Err() != nil {
			return tooLarge, nil, ctx.Err()
		}
		if p.limit > 0 && len(p.tuples) > p.limit {
			return tooLarge, nil, nil
		}
		switch p.kind(p.tuples[s]) {
		case exactWord:
			return exactWord, p.word(int32(s)), nil
		case cutWord:
			result = cutWord
		}
		p.expand(int32(s))
	}
	return result, nil, nil
}

// kind tells whether the word to a state is in all languages, and how.
func (p *product) kind(tuple []language) outcome {
	kind := exactWord
	for _, l := range tuple {
		n := p.domain.nodes[l]
		switch {
		case l == beyond || !n.complete && n.cut:
			kind = cutWord
		case !n.complete:
			return noWord
		}
	}
	return kind
}

func (p *product) expand(s int32) {
	tuple := p.tuples[s]
	for letter, members := range p.members {
		if len(members) == 0 {
			continue
		}
		next := slices.Clone(tuple)
		enabled := true
		for _, m := range members {
			next[m] = p.follow(tuple[m], int32(letter))
			enabled = enabled && next[m] != nothing
		}
		if enabled && slices.ContainsFunc(members, func(m int32) bool { return tuple[m] != beyond }) {
			p.moves++
			p.visit(next, s, int32(letter))
		}
	}
}

// follow returns the rests of the words that begin with a letter. A letter past a
// cut leaves it.
func (p *product) follow(l language, letter int32) language {
	if l == beyond {
		return beyond
	}
	n := p.domain.nodes[l]
	if i, ok := slices.BinarySearchFunc(n.edges, letter, func(e edge, l int32) int { return int(e.letter - l) }); ok {
		return n.edges[i].rest
	}
	if n.cut {
		return beyond
	}
	return nothing
}

func (p *product) visit(tuple []language, parent, letter int32) {
	key := make([]byte, 0, 4*len(tuple))
	for _, l := range tuple {
		key = binary.LittleEndian.AppendUint32(key, uint32(l))
	}
	if _, ok := p.index[string(key)]; ok {
		return
	}
	p.index[string(key)] = int32(len(p.tuples))
	p.tuples = append(p.tuples, tuple)
	p.parent = append(p.parent, parent)
	p.letter = append(p.letter, letter)
}

func (p *product) word(s int32) []int32 {
	word := []int32{}
	for ; p.parent[s] >= 0; s = p.parent[s] {
		word = append(word, p.letter[s])
	}
	slices.Reverse(word)
	return word
}
