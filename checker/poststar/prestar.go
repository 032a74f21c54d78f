package poststar

import (
	"context"
	"math/bits"
	"slices"
)

// Predecessors is the automaton of the configurations from which a target can be
// reached: for each head <p, g> the set of the states to which p has a transition with
// g. States are the controls and, behind them, the final one.
type Predecessors struct {
	propagation // the sets by head

	system   *Explicit
	replaced heads      // by head: the heads that a rule replaces by it
	pushed   []upper    // by the head that is on top: the rules that push it
	first    []uint32   // of pushed
	below    [][]uint32 // by head: the heads that lead where it leads
}

// upper is a rule as it is seen from the head that it makes: its own head, and the
// symbol below.
type upper struct{ head, lower uint32 }

// heads is a list of heads for each head.
type heads struct{ first, all []uint32 }

func (h *heads) of(head uint32) []uint32 { return h.all[h.first[head]:h.first[head+1]] }

// Before computes pre* of the target, a control with one symbol (Schwoon 2002, section
// 3.1), in O(rules * controls^2) time at worst. It fails as Reach does.
func Before(ctx context.Context, s *Explicit, target [2]uint32) (*Predecessors, error) {
	if err := checkHeads(s); err != nil {
		return nil, err
	}
	b := &Predecessors{system: s, below: make([][]uint32, s.Controls*s.Symbols)}
	b.sets.reset(s.Controls * s.Symbols)
	b.index()
	final := uint32(s.Controls)
	b.add(b.head(target[0], target[1]), final>>6, 1<<(final&63))
	for i := range s.Rules {
		if r := &s.Rules[i]; r.Push == 0 {
			b.add(b.head(r.From, r.Top), r.To>>6, 1<<(r.To&63))
		}
	}
	if err := b.run(ctx, b.propagate); err != nil {
		return nil, err
	}
	return b, nil
}

// Has tells whether the target can be reached from a configuration.
func (b *Predecessors) Has(control uint32, stack ...uint32) bool {
	states := []uint32{control}
	for _, symbol := range stack {
		from := states
		states = nil
		for _, control := range from {
			if int(control) == b.system.Controls {
				continue // nothing follows the final state
			}
			b.sets.forWords(b.head(control, symbol), func(key uint32, found uint64) {
				for ; found != 0; found &= found - 1 {
					states = append(states, key<<6|uint32(bits.TrailingZeros64(found)))
				}
			})
		}
	}
	return slices.Contains(states, uint32(b.system.Controls))
}

func (b *Predecessors) head(control, symbol uint32) uint32 {
	return control*uint32(b.system.Symbols) + symbol
}

// index lists the rules by the heads that they make.
func (b *Predecessors) index() {
	s := b.system
	b.replaced.first, b.first = make([]uint32, len(b.below)+1), make([]uint32, len(b.below)+1)
	for i := range s.Rules {
		switch r := &s.Rules[i]; r.Push {
		case 1:
			b.replaced.first[b.head(r.To, r.Upper)]++
		case 2:
			b.first[b.head(r.To, r.Upper)]++
		}
	}
	b.replaced.all, b.pushed = make([]uint32, sumUp(b.replaced.first)), make([]upper, sumUp(b.first))
	for i := range s.Rules {
		r := &s.Rules[i]
		made, from := b.head(r.To, r.Upper), b.head(r.From, r.Top)
		switch r.Push {
		case 1:
			b.replaced.first[made]--
			b.replaced.all[b.replaced.first[made]] = from
		case 2:
			b.first[made]--
			b.pushed[b.first[made]] = upper{from, r.Lower}
		}
	}
}

// sumUp makes each count the sum of those up to it, and returns the sum of all.
func sumUp(counts []uint32) (sum uint32) {
	for i := range counts {
		sum += counts[i]
		counts[i] = sum
	}
	return sum
}

// propagate adds what follows from new transitions of a head.
func (b *Predecessors) propagate(head, key uint32, added uint64) {
	for _, from := range b.replaced.of(head) {
		b.add(from, key, added)
	}
	for _, from := range b.below[head] {
		b.add(from, key, added)
	}
	for _, rule := range b.pushed[b.first[head]:b.first[head+1]] {
		for rest := added; rest != 0; rest &= rest - 1 {
			state := key<<6 | uint32(bits.TrailingZeros64(rest))
			if int(state) == b.system.Controls {
				continue
			}
			lower := b.head(state, rule.lower)
			if !slices.Contains(b.below[lower], rule.head) {
				b.below[lower] = append(b.below[lower], rule.head)
				b.sets.forWords(lower, func(key uint32, states uint64) { b.add(rule.head, key, states) })
			}
		}
	}
}
