package refine

import (
	"errors"
	"fmt"
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
	return slices.ContainsFunc(d.processes, func(p *process) bool { return !p.exact && p.recursive })
}

func (d *decision) searchDepth(depth, budget int, by string) error {
	parts := d.automata()
	for i, p := range d.processes {
		if p.exact {
			continue
		}
		var err error
		if parts[i], err = p.cutAt(d, depth, budget); err != nil {
			return err
		}
	}
	_, err := d.explore(parts, budget, nil, func(h hit) error {
		wrong, err := d.check(d.labels.SetOf(h.labels), h.word, by)
		if len(wrong) > 0 {
			return errors.New("internal error: a word found by the bounded search has no run")
		}
		return err
	})
	return err
}

// cutAt returns the automaton of a component whose recursion is cut at a depth, of at most as many states.
func (p *process) cutAt(d *decision, depth, states int) (*automaton.Automaton, error) {
	if a := p.cutting[depth]; a != nil {
		return a, nil
	}
	a, exact, err := d.memo.automatonOf(d, p, fmt.Sprintf("cut at %d, %d states", depth, states),
		func(b *builder) (*automaton.Automaton, bool, error) {
			a, err := b.build(false, depth, states)
			return a, !b.recursive(), err
		})
	if err != nil {
		return nil, err
	}
	if p.cutting == nil {
		p.cutting = map[int]*automaton.Automaton{}
	}
	p.cutting[depth], p.recursive = a, !exact
	return a, nil
}
