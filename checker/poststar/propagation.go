package poststar

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/empire-go/empire-go/limit"
)

// MaxHeads bounds the controls times the symbols of a system that Reach and Before take.
const MaxHeads = 1 << 27

// checkHeads fails if a system has too many heads.
func checkHeads(s *Explicit) error {
	if s.Controls > MaxHeads/s.Symbols {
		return fmt.Errorf("%d controls times %d symbols are too many; the product may be %d", s.Controls, s.Symbols, MaxHeads)
	}
	return nil
}

// propagation is the transitions of an automaton that grows, as sets of states, and those
// whose consequences were not yet added.
type propagation struct {
	Transitions int // with a symbol

	sets   wordSets
	work   []uint32 // words of sets with bits to propagate
	births *births  // when they were added; nil if nobody asks
}

// add adds transitions of a set to states of one word.
func (p *propagation) add(set, key uint32, states uint64) {
	w := p.sets.word(set, key)
	at := &p.sets.words[w]
	added := states &^ at.bits
	if added == 0 {
		return
	}
	at.bits |= added
	if at.pending == 0 {
		p.work = append(p.work, w)
	}
	at.pending |= added
	p.Transitions += bits.OnesCount64(added)
	if p.births != nil {
		p.births.note(&p.births.last, w, added, 0)
	}
}

// run calls propagate for what is new in a word of a set until nothing is. It fails if
// the context is done.
func (p *propagation) run(ctx context.Context, propagate func(set, key uint32, added uint64)) error {
	for n := 0; len(p.work) > 0; n++ {
		if n&1023 == 0 {
			if err := limit.Pay(ctx, 1024*limit.Transition); err != nil {
				return err
			}
		}
		w := p.next()
		at := &p.sets.words[w]
		added := at.pending
		at.pending = 0
		propagate(p.sets.owner(w), at.key, added)
	}
	return nil
}

// next takes a word from the work: the last one, or the first one if runs are asked for,
// which makes them shorter.
func (p *propagation) next() (w uint32) {
	if p.births != nil {
		w, p.work = p.work[0], p.work[1:]
		return w
	}
	w = p.work[len(p.work)-1]
	p.work = p.work[:len(p.work)-1]
	return w
}
