package counting

import (
	"cmp"
	"context"
	"slices"
)

const (
	maxRows  = 1_500  // of the equations made simpler
	maxTerms = 15_000 // in them
)

// solvable tells whether the equations may have a solution in whole numbers in which the
// steps of each system hang together; it says yes if that is not found out.
func (e *equations) solvable(ctx context.Context, cases int) bool {
	b := &branching{equations: e, ctx: ctx, left: cases}
	return b.solvable(e.program)
}

// branching tells cases apart.
type branching struct {
	*equations
	ctx  context.Context
	left int // cases
}

// solvable tells whether a case may have such a solution. Choices are made first: they
// cut off the most.
func (b *branching) solvable(p program) bool {
	if b.left--; b.left < 0 {
		return true
	}
	c, feasible := b.simplify(p)
	if !feasible {
		return false
	}
	if len(c.simple.rows) > maxRows || c.simple.size() > maxTerms {
		return true
	}
	s, feasible, known := c.simple.solve(b.ctx)
	if !known || !feasible {
		return feasible
	}
	choice := c.simple.choice(s)
	whole := fraction(s) == none
	for _, system := range b.systems {
		used, enter := system.cutOff(c.taken(s))
		switch {
		case len(used) == 0:
		case choice != none:
			return b.choose(p, choice)
		default:
			return b.solvable(p.bounded(used, 1, 0)) || len(enter) > 0 && b.solvable(p.bounded(enter, -1, 1))
		}
	}
	switch {
	case whole:
		return true
	case choice != none:
		return b.choose(p, choice)
	}
	x := fraction(s)
	value := s[x].floor()
	return b.solvable(p.bounded([]variable{x}, 1, value)) || b.solvable(p.bounded([]variable{x}, -1, value+1))
}

// choose tells apart the cases that a variable is 0 and that it is 1.
func (b *branching) choose(p program, x variable) bool {
	return b.solvable(p.with(row{[]term{{x, 1}}, 0})) || b.solvable(p.with(row{[]term{{x, 1}}, 1}))
}

// simplified is equations made simpler.
type simplified struct {
	simple    program
	standsFor []variable
}

// simplify makes equations simpler, without the steps that no others can lead to.
func (b *branching) simplify(p program) (c simplified, feasible bool) {
	for {
		simple, standsFor, feasible := p.simplify()
		if !feasible {
			return c, false
		}
		c = simplified{simple, standsFor}
		var never []variable
		for _, system := range b.systems {
			used, _ := system.cutOff(func(x variable) bool { return standsFor[x] != zero })
			never = append(never, slices.DeleteFunc(used, func(x variable) bool { return standsFor[x] == zero })...)
		}
		if len(never) == 0 {
			return c, true
		}
		p = p.bounded(never, 1, 0)
	}
}

// taken tells which variables are not 0 in a solution.
func (c *simplified) taken(s solution) func(variable) bool {
	return func(x variable) bool {
		x = c.standsFor[x]
		return x != zero && s[x].sign() > 0
	}
}

// none is no variable.
const none variable = -1

// fraction returns the first variable whose value is not whole, or none.
func fraction(s solution) variable {
	x := none
	for y, value := range s {
		if !value.whole() && (x == none || y < x) {
			x = y
		}
	}
	return x
}

// choice returns a variable that is not 0 and one of several of which only one can be, or
// none.
func (p *program) choice(s solution) variable {
	for _, r := range p.rows {
		if r.constant != 1 || len(r.terms) == 1 || slices.ContainsFunc(r.terms, func(t term) bool { return t.factor < 0 }) {
			continue
		}
		for _, t := range r.terms {
			if s[t.variable].sign() > 0 {
				return t.variable
			}
		}
	}
	return none
}

// bounded returns the equations with one more, by which the sum of variables is at most the
// bound, for sign 1, or at least, for -1.
func (p program) bounded(sum []variable, sign, bound int64) program {
	r := row{constant: bound}
	for _, x := range sum {
		r.add(x, 1)
	}
	r.add(p.variable(), sign)
	r.tidy()
	return p.with(r)
}

// with returns the equations with one more.
func (p program) with(r row) program {
	p.rows = append(slices.Clone(p.rows), r)
	return p
}

// cutOff returns the steps that read nodes which the steps that are taken do not come to,
// and those that would lead there from elsewhere: a run that takes one of the former takes
// one of the latter.
func (s *system) cutOff(taken func(variable) bool) (used, enter []variable) {
	reached := s.reached(taken)
	off := make([]bool, len(s.symbols))
	any := false
	for _, x := range s.steps {
		if x.reads >= 0 && !reached[x.reads] && taken(x.variable) {
			off[x.reads], any = true, true
		}
	}
	if !any {
		return nil, nil
	}
	for _, x := range s.steps {
		switch {
		case x.reads >= 0 && off[x.reads]:
			used = append(used, x.variable)
		case slices.ContainsFunc(x.writes, func(n int32) bool { return off[n] }):
			enter = append(enter, x.variable)
		}
	}
	compare := func(a, b variable) int { return cmp.Compare(a, b) }
	slices.SortFunc(used, compare)
	slices.SortFunc(enter, compare)
	return used, enter
}

// reached tells which nodes the steps that are taken come to.
func (s *system) reached(taken func(variable) bool) []bool {
	if s.readers == nil {
		s.readers = make([][]int32, len(s.symbols))
		for i, x := range s.steps {
			if x.reads >= 0 {
				s.readers[x.reads] = append(s.readers[x.reads], int32(i))
			}
		}
	}
	reached := make([]bool, len(s.symbols))
	var work []int32
	take := func(x *step) {
		if !taken(x.variable) {
			return
		}
		for _, n := range x.writes {
			if !reached[n] {
				reached[n] = true
				work = append(work, n)
			}
		}
	}
	for i := range s.steps {
		if s.steps[i].reads < 0 {
			take(&s.steps[i])
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range s.readers[n] {
			take(&s.steps[i])
		}
	}
	return reached
}
