package refine

import "errors"

// regularStates is how many states the product of the first turn may have; each turn in
// which that is too few has four times as many. In between, others have theirs.
const regularStates = 1 << 16

// regular explores the product of automata that have the words of their components and
// perhaps more. It decides where regular languages separate the components, provided that
// the cuts come to some.
type regular struct {
	refined  bool
	states   int        // how many states the product of the first turn may have
	attempt  int        // products that had too many states
	spurious []spurious // of the last product
}

func (r *regular) name() string {
	if r.refined {
		return "refined"
	}
	return "regular"
}

func (r *regular) turn(d *decision) (more bool, err error) {
	for _, w := range r.spurious {
		if !d.labels.Has(d.open, w.label) {
			continue // another method has answered it
		}
		if err := d.cut(w); err != nil {
			return false, err
		}
		r.refined = true
	}
	d.prune()
	budget := r.states << min(2*r.attempt, 40)
	if d.limits.States > 0 {
		budget = min(budget, d.limits.States)
	}
	r.spurious, err = d.round(r.name(), budget)
	if errors.Is(err, errStates) && budget != d.limits.States {
		r.attempt++
		err = nil
	}
	return true, err
}

// spurious is a word of a component's automaton that the component does not have.
type spurious struct {
	process *process
	word    []int32
	label   int
}
