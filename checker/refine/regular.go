package refine

// regular explores the product of automata that have the words of their components and
// perhaps more. It decides where regular languages separate the components, provided that
// the cuts come to some.
type regular struct {
	refined  bool
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
	r.spurious, err = d.round(r.name())
	return true, err
}

// spurious is a word of a component's automaton that the component does not have.
type spurious struct {
	process *process
	word    []int32
	label   int
}
