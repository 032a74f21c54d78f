package poststar

import (
	"context"
	"math/bits"
	"slices"
)

// Reachable is the automaton of the reachable configurations of an explicit system: what
// saturation adds to that of the initial configuration.
//
// For each head <p, g> of a configuration it has the set of the states to which p has a
// transition with g, and likewise for each pair of a middle state and a symbol. A set is
// a bit set of words; most have one word, because the middle states of one procedure are
// numbered in a row. What was not yet propagated is a word, too: a rule moves up to 64
// transitions at a time.
type Reachable struct {
	propagation     // the sets by head; after those by lower, see explicitIndex
	Silent      int // transitions

	system explicitIndex
	silent wordSets // by state: the controls with a silent transition to it
}

// Reach computes post* of the initial configuration (Schwoon 2002, section 3.1). It needs
// O(rules * states) time in words, and memory in the order of heads and transitions. It
// fails if there are more than MaxHeads, or if the context is done.
func Reach(ctx context.Context, s *Explicit) (*Reachable, error) {
	return reach(ctx, s, nil)
}

// reach is Reach that notes when transitions are added, if births is not nil.
func reach(ctx context.Context, s *Explicit, births *births) (*Reachable, error) {
	if err := checkHeads(s); err != nil {
		return nil, err
	}
	r := &Reachable{propagation: propagation{births: births}, system: newExplicitIndex(s)}
	x := &r.system
	r.sets.reset(x.heads + len(x.lowers))
	r.silent.reset(x.states)
	r.add(x.head(s.Initial[0], s.Initial[1]), x.final>>6, 1<<(x.final&63))
	if err := r.run(ctx, r.propagate); err != nil {
		return nil, err
	}
	return r, nil
}

// Has tells whether a configuration is reachable.
func (r *Reachable) Has(control uint32, stack ...uint32) bool {
	x := &r.system
	if len(stack) == 0 {
		return r.silent.has(x.final, control)
	}
	var states []uint32
	note := func(key uint32, found uint64) {
		for ; found != 0; found &= found - 1 {
			states = append(states, key<<6|uint32(bits.TrailingZeros64(found)))
		}
	}
	r.sets.forWords(x.head(control, stack[0]), note)
	for _, symbol := range stack[1:] {
		from := states
		states = nil
		for _, mid := range from {
			for l := x.ofMid[mid]; l < x.ofMid[mid+1]; l++ {
				if x.lowers[l].symbol == symbol {
					r.sets.forWords(uint32(x.heads)+l, note)
				}
			}
		}
	}
	return slices.Contains(states, x.final)
}

// propagate adds what follows from new transitions of a head or lower.
func (r *Reachable) propagate(set, key uint32, added uint64) {
	x := &r.system
	if set >= uint32(x.heads) {
		lower := x.lowers[set-uint32(x.heads)]
		r.silent.forWords(lower.mid, func(high uint32, controls uint64) {
			for ; controls != 0; controls &= controls - 1 {
				r.add(x.head(high<<6|uint32(bits.TrailingZeros64(controls)), lower.symbol), key, added)
			}
		})
		return
	}
	for _, rule := range x.rules[x.first[set]:x.first[set+1]] {
		switch rule.lower {
		case replaces:
			r.add(rule.to, key, added)
		case pops:
			for rest := added; rest != 0; rest &= rest - 1 {
				r.addSilent(set, rule.to, key<<6|uint32(bits.TrailingZeros64(rest)))
			}
		default:
			mid := x.lowers[rule.lower].mid
			r.add(uint32(x.heads)+rule.lower, key, added)
			r.add(rule.to, mid>>6, 1<<(mid&63))
		}
	}
}

// addSilent adds a silent transition from a control to a state, because a head is popped,
// and what follows it.
func (r *Reachable) addSilent(head, control, state uint32) {
	w := r.silent.word(state, control>>6)
	at := &r.silent.words[w]
	bit := uint64(1) << (control & 63)
	if at.bits&bit != 0 {
		return
	}
	at.bits |= bit
	r.Silent++
	if r.births != nil {
		r.births.note(&r.births.lastSilent, w, bit, head)
	}
	x := &r.system
	for lower := x.ofMid[state]; lower < x.ofMid[state+1]; lower++ {
		to := x.head(control, x.lowers[lower].symbol)
		r.sets.forWords(uint32(x.heads)+lower, func(key uint32, states uint64) { r.add(to, key, states) })
	}
}

// explicitIndex is a system prepared for saturation.
type explicitIndex struct {
	heads   int    // sets 0 to heads-1 are those of heads
	symbols uint32 // head <p, g> is p*symbols+g
	first   []uint32
	rules   []indexedRule // by head: from first[h] to first[h+1]
	lowers  []lower       // pairs of a middle state and the symbol below; by middle state
	ofMid   []uint32      // by state: its first lower
	states  int           // middle states, some of them not used, and the final one
	final   uint32
}

// indexedRule is a rule with its head removed.
type indexedRule struct {
	to    uint32 // the head that it makes; the control, if it pops
	lower uint32 // replaces, pops, or the number of the lower
}

const (
	replaces = ^uint32(0) - iota
	pops
)

// lower is what a push leaves below: the transitions from mid with symbol.
type lower struct{ mid, symbol uint32 }

func (x *explicitIndex) head(control, symbol uint32) uint32 { return control*x.symbols + symbol }

func newExplicitIndex(s *Explicit) explicitIndex {
	x := explicitIndex{heads: s.Controls * s.Symbols, symbols: uint32(s.Symbols)}
	mids := numberMids(s)
	x.states = mids.states + 1
	x.final = uint32(mids.states)
	var keys []uint64
	for i := range s.Rules {
		if r := &s.Rules[i]; r.Push == 2 {
			keys = append(keys, uint64(mids.of(r))<<32|uint64(r.Lower))
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	x.lowers = make([]lower, len(keys))
	for i, key := range keys {
		x.lowers[i] = lower{uint32(key >> 32), uint32(key)}
	}
	x.ofMid = make([]uint32, x.states+1)
	for _, l := range x.lowers {
		x.ofMid[l.mid+1]++
	}
	for i := range x.states {
		x.ofMid[i+1] += x.ofMid[i]
	}
	x.indexRules(s, mids)
	return x
}

// indexRules sorts the rules by head, by counting.
func (x *explicitIndex) indexRules(s *Explicit, mids midNumbers) {
	x.first = make([]uint32, x.heads+1)
	for i := range s.Rules {
		x.first[x.head(s.Rules[i].From, s.Rules[i].Top)]++
	}
	end := uint32(0)
	for h := range x.first {
		end += x.first[h]
		x.first[h] = end
	}
	x.rules = make([]indexedRule, len(s.Rules))
	for i := len(s.Rules) - 1; i >= 0; i-- {
		r := &s.Rules[i]
		h := x.head(r.From, r.Top)
		x.first[h]--
		x.rules[x.first[h]] = x.indexed(r, mids)
	}
}

func (x *explicitIndex) indexed(r *ExplicitRule, mids midNumbers) indexedRule {
	switch r.Push {
	case 0:
		return indexedRule{r.To, pops}
	case 1:
		return indexedRule{x.head(r.To, r.Upper), replaces}
	}
	mid := mids.of(r)
	some := x.lowers[x.ofMid[mid]:x.ofMid[mid+1]]
	i, _ := slices.BinarySearchFunc(some, lower{mid, r.Lower}, compareLowers)
	return indexedRule{x.head(r.To, r.Upper), x.ofMid[mid] + uint32(i)}
}

func compareLowers(a, b lower) int {
	if a.mid != b.mid {
		return int(a.mid) - int(b.mid)
	}
	return int(a.symbol) - int(b.symbol)
}

// midNumbers numbers the heads that are pushed.
type midNumbers struct {
	bySymbol []uint32 // of the symbol's first head; nil if heads are listed
	listed   []uint64 // control and symbol, ascending by symbol
	states   int
}

// numberMids numbers the middle states by symbol and then by control. Where that leaves
// few gaps, each symbol gets as many numbers as there are controls, rounded up, so that
// the states of a procedure share a word.
func numberMids(s *Explicit) midNumbers {
	var m midNumbers
	for i := range s.Rules {
		if r := &s.Rules[i]; r.Push == 2 {
			m.listed = append(m.listed, uint64(r.Upper)<<32|uint64(r.To))
		}
	}
	slices.Sort(m.listed)
	m.listed = slices.Compact(m.listed)
	width, symbols := 1, 0
	for width < s.Controls {
		width *= 2
	}
	for i, h := range m.listed {
		if i == 0 || h>>32 != m.listed[i-1]>>32 {
			symbols++
		}
	}
	m.states = len(m.listed)
	if symbols*width > 4*len(m.listed)+64 {
		return m
	}
	m.bySymbol = make([]uint32, s.Symbols)
	next := uint32(0)
	for i, h := range m.listed {
		if i == 0 || h>>32 != m.listed[i-1]>>32 {
			m.bySymbol[h>>32] = next
			next += uint32(width)
		}
	}
	m.listed, m.states = nil, int(next)
	return m
}

// of returns the middle state of a rule that pushes.
func (m *midNumbers) of(r *ExplicitRule) uint32 {
	if m.bySymbol != nil {
		return m.bySymbol[r.Upper] + r.To
	}
	i, _ := slices.BinarySearch(m.listed, uint64(r.Upper)<<32|uint64(r.To))
	return uint32(i)
}
