package refine

import (
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
)

// boundedStates is how many states the search of the first turn may have; each turn
// doubles it.
const boundedStates = 1 << 12

// bounded searches subsets of the components' languages: recursion is cut at a depth, and
// the search after a number of states. Where nothing is recursive, and components are
// approximated only because they are large, these are all words, and a search to the end
// proves that there is none.
type bounded struct {
	attempt  int
	complete []bool // by depth: searched to the end
}

func (*bounded) name() string { return "bounded" }

// turn tries all depths up to the number of the turn that are not finished yet, with
// twice the states of the turn before, so that each word comes within both bounds.
func (b *bounded) turn(d *decision) (more bool, err error) {
	b.complete = append(b.complete, false)
	budget := boundedStates << min(b.attempt, 40)
	b.attempt++
	if d.limits.States > 0 && budget > d.limits.States {
		budget = d.limits.States
	}
	for depth := range b.complete {
		if b.complete[depth] || d.open == automaton.None {
			continue
		}
		err := d.searchDepth(depth, budget, b.name())
		if err != nil && !errors.Is(err, errStates) || err != nil && budget == d.limits.States {
			return false, err
		}
		b.complete[depth] = err == nil
		if err == nil && !d.recursive() {
			d.refute(d.open, b.name())
		}
	}
	return true, nil
}

// recursive tells whether cutting recursion cuts anything.
func (d *decision) recursive() bool {
	return slices.ContainsFunc(d.processes, func(p *process) bool { return !p.exact && p.builder.recursive() })
}

func (d *decision) searchDepth(depth, budget int, by string) error {
	parts := make([]*automaton.Automaton, len(d.processes))
	for i, p := range d.processes {
		parts[i] = p.automaton
		if p.exact {
			continue
		}
		if err := d.saturate(p); err != nil {
			return err
		}
		a, err := p.builder.build(false, depth, budget)
		if err != nil {
			return err
		}
		parts[i] = a
	}
	p := d.newProduct(parts)
	_, err := p.search(d.ctx, d.open, budget, func(hit automaton.Set, word []int32) (automaton.Set, error) {
		wrong, err := d.check(hit, slices.Clone(word), by)
		if len(wrong) > 0 {
			return hit, errors.New("internal error: a word found by the bounded search has no run")
		}
		return hit, err
	}, func(int, automaton.Set) automaton.Set { return automaton.None })
	d.work.States += len(p.parent)
	d.work.Transitions += p.moves
	d.release(p)
	return err
}
