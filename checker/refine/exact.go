package refine

import (
	"errors"

	"github.com/empire-go/empire-go/checker/automaton"
)

// exact explores the product of automata that have just the words of their components.
type exact struct{}

func (exact) name() string { return "exact" }

func (m exact) turn(d *decision) (more bool, err error) {
	spurious, err := d.round(m.name())
	if err == nil && len(spurious) > 0 {
		err = errors.New("internal error: a word of an exact automaton has no run")
	}
	return false, err
}

// round searches the product of the automata. Each open label is answered or has a
// spurious word.
func (d *decision) round(by string) ([]spurious, error) {
	var wrong []spurious
	undecided := automaton.None
	p := d.newProduct(d.automata())
	rest, err := p.search(d.ctx, d.open, d.limits.States, func(hit automaton.Set, word []int32) (automaton.Set, error) {
		found, err := d.check(hit, word, by)
		for _, w := range found {
			wrong = append(wrong, w)
			undecided = d.labels.Union(undecided, d.labels.Of(w.label))
		}
		return hit, err
	})
	d.done(p)
	if err != nil {
		return nil, err
	}
	d.refute(rest, by)
	d.open = undecided
	return wrong, nil
}
