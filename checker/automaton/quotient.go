package automaton

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/limit"
)

// Quotient returns the quotient by the coarsest bisimulation, sorted; for a
// deterministic automaton that is trimmed, it is the minimal one. After a split
// only the predecessors of what was split off are looked at again. The automaton
// must be free of Epsilon. It returns false if the context is done.
func (a *Automaton) Quotient(ctx context.Context) (*Automaton, bool) {
	a.Sort()
	p := newPartition(a)
	for len(p.dirty) > 0 {
		if !p.refine(ctx) {
			return nil, false
		}
	}
	b := &Automaton{}
	number := make([]int32, len(p.first))
	for i := range number {
		number[i] = -1
	}
	member := []int32{a.Start}
	number[p.block[a.Start]] = b.Add(a.Accept[a.Start])
	var edges []Edge
	var sort sorter
	for i := 0; i < len(member); i++ {
		edges = edges[:0]
		for _, e := range a.Edges[member[i]] {
			block := p.block[e.To]
			if number[block] < 0 {
				number[block] = b.Add(a.Accept[e.To])
				member = append(member, e.To)
			}
			edges = append(edges, Edge{e.Letter, number[block]})
		}
		b.Edges[i] = slices.Clone(sort.sorted(edges))
	}
	return b, true
}

// partition is a refinable partition of the states. All states of a block that
// are not dirty have the same signature.
type partition struct {
	a          *Automaton
	into       adjacency
	block      []int32 // by state
	states     []int32 // by place: block b has the places first[b] to end[b]-1
	place      []int32 // by state
	first, end []int32
	dirty      []int32 // states whose signature may have changed
	isDirty    []bool
	blocks     []int32
	key        []byte
}

func newPartition(a *Automaton) *partition {
	n := a.States()
	p := &partition{
		a: a, into: a.reverse(),
		block: make([]int32, n), states: make([]int32, n), place: make([]int32, n), isDirty: make([]bool, n),
	}
	members := map[Set][]int32{}
	var order []Set
	for s := range int32(n) {
		if members[a.Accept[s]] == nil {
			order = append(order, a.Accept[s])
		}
		members[a.Accept[s]] = append(members[a.Accept[s]], s)
		p.mark(s)
	}
	at := int32(0)
	for b, set := range order {
		p.first = append(p.first, at)
		for _, s := range members[set] {
			p.states[at], p.place[s], p.block[s] = s, at, int32(b)
			at++
		}
		p.end = append(p.end, at)
	}
	return p
}

func (p *partition) mark(s int32) {
	if !p.isDirty[s] {
		p.isDirty[s] = true
		p.dirty = append(p.dirty, s)
	}
}

// refine splits the blocks of the dirty states by signature. Signatures are taken
// of all of them before any block changes. It returns false, halfway, if the context
// is done.
func (p *partition) refine(ctx context.Context) bool {
	dirty := p.dirty
	p.dirty = nil
	parts := map[string][]int32{} // by block and signature
	var keys [][]string           // by touched block, in order of first touch
	touched := map[int32]int{}
	var blocks []int32
	if limit.Pay(ctx, limit.State*limit.Work(len(dirty)&63)) != nil {
		return false
	}
	for n, s := range dirty {
		if n&63 == 63 && limit.Pay(ctx, 64*limit.State) != nil {
			return false
		}
		b := p.block[s]
		i, ok := touched[b]
		if !ok {
			i = len(blocks)
			touched[b] = i
			blocks = append(blocks, b)
			keys = append(keys, nil)
			if c := p.clean(b); c >= 0 {
				key := string(p.signature(c))
				parts[key] = nil
				keys[i] = append(keys[i], key)
			}
		}
		key := p.signature(s)
		if _, ok := parts[string(key)]; !ok {
			keys[i] = append(keys[i], string(key))
		}
		parts[string(key)] = append(parts[string(key)], s)
	}
	for i, b := range blocks {
		p.split(b, keys[i], parts, p.clean(b) >= 0)
	}
	for _, s := range dirty {
		p.isDirty[s] = false
	}
	for i, b := range blocks {
		for _, key := range keys[i] {
			for _, s := range parts[key] {
				if p.block[s] != b {
					for _, t := range p.into.of(s) {
						p.mark(t)
					}
				}
			}
		}
	}
	return true
}

// split gives all parts but one new blocks. The first part keeps the block if it
// has clean states besides; the largest otherwise.
func (p *partition) split(b int32, keys []string, parts map[string][]int32, clean bool) {
	keep := 0
	for i, key := range keys {
		if !clean && len(parts[key]) > len(parts[keys[keep]]) {
			keep = i
		}
	}
	for i, key := range keys {
		if i == keep {
			continue
		}
		end := p.end[b]
		at := end
		for _, s := range parts[key] {
			at--
			other := p.states[at]
			p.states[p.place[s]], p.place[other] = other, p.place[s]
			p.states[at], p.place[s] = s, at
			p.block[s] = int32(len(p.first))
		}
		p.first = append(p.first, at)
		p.end = append(p.end, end)
		p.end[b] = at
	}
}

// clean returns a state of the block that is not dirty, or -1.
func (p *partition) clean(b int32) int32 {
	for at := p.first[b]; at < p.end[b]; at++ {
		if s := p.states[at]; !p.isDirty[s] {
			return s
		}
	}
	return -1
}

// signature returns the moves of a state to blocks, as bytes valid until the next
// call. The edges are in order by their letters, so that only those with one letter have to be sorted.
func (p *partition) signature(s int32) []byte {
	p.key = binary.LittleEndian.AppendUint32(p.key[:0], uint32(p.block[s]))
	edges := p.a.Edges[s]
	for i := 0; i < len(edges); {
		letter := edges[i].Letter
		p.blocks = p.blocks[:0]
		for ; i < len(edges) && edges[i].Letter == letter; i++ {
			p.blocks = append(p.blocks, p.block[edges[i].To])
		}
		slices.Sort(p.blocks)
		for k, b := range p.blocks {
			if k == 0 || b != p.blocks[k-1] {
				p.key = binary.LittleEndian.AppendUint32(p.key, uint32(letter))
				p.key = binary.LittleEndian.AppendUint32(p.key, uint32(b))
			}
		}
	}
	return p.key
}
