package refine

import (
	"errors"
	"fmt"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
)

// exact explores the product of automata that have just the words of their components.
type exact struct{}

func (exact) name() string { return "exact" }

func (m exact) turn(d *decision) (more bool, err error) {
	spurious, err := d.round(m.name(), d.limits.States)
	if err == nil && len(spurious) > 0 {
		err = errors.New("internal error: a word of an exact automaton has no run")
	}
	return false, err
}

// round searches the product of the automata. Each open label is answered or has a
// spurious word, unless there are more states than the limit.
func (d *decision) round(by string, limit int) ([]spurious, error) {
	var wrong []spurious
	undecided := automaton.None
	e, err := d.explore(d.automata(), limit, d.limits.Words, func(h hit) error {
		found, err := d.check(d.labels.SetOf(h.labels), h.word, by)
		for _, w := range found {
			wrong = append(wrong, w)
			undecided = d.labels.Union(undecided, d.labels.Of(w.label))
		}
		return err
	})
	if err != nil {
		return wrong, err
	}
	for _, label := range e.late {
		longest, _ := d.limits.Longest(label)
		d.answer(label, checker.Answer{Reason: fmt.Sprintf("no word of at most %d actions", longest)})
	}
	d.refute(d.labels.Without(d.open, undecided), by)
	d.open = undecided
	return wrong, nil
}
