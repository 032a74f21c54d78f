package refine

import (
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
)

// boundedStates is how many states the first bounded search may have; each attempt
// doubles it.
const boundedStates = 1 << 12

// bounded is the state of the search with bounded recursion.
type bounded struct {
	attempt  int
	complete []bool // by depth: searched to the end
}

// searchBounded searches subsets of the components' languages: recursion is cut at
// a depth, and the search after a number of states. Attempt n tries all depths up
// to n that it has not finished yet with twice the states of the attempt before,
// so that each word comes within both bounds.
func (d *decision) searchBounded() error {
	b := &d.bounded
	b.attempt++
	b.complete = append(b.complete, false)
	budget := boundedStates << min(b.attempt, 40)
	if d.limits.States > 0 {
		budget = min(budget, d.limits.States)
	}
	for depth := range b.complete {
		if b.complete[depth] || d.open == automaton.None {
			continue
		}
		err := d.searchDepth(depth, budget)
		if err != nil && !errors.Is(err, errStates) {
			return err
		}
		b.complete[depth] = err == nil
	}
	return nil
}

func (d *decision) searchDepth(depth, budget int) error {
	parts := make([]*automaton.Automaton, len(d.parts))
	for i, p := range d.parts {
		parts[i] = p.automaton
		if p.exact {
			continue
		}
		a, err := p.builder.build(false, depth, budget)
		if err != nil {
			return err
		}
		parts[i] = a
	}
	p := newProduct(d.labels, parts, d.members)
	_, err := p.search(d.ctx, d.open, budget, func(hit automaton.Set, word []int32) (automaton.Set, error) {
		wrong, err := d.check(hit, slices.Clone(word), "bounded")
		if len(wrong) > 0 {
			return hit, errors.New("internal error: a word found by the bounded search has no run")
		}
		return hit, err
	})
	d.count(p)
	return err
}
