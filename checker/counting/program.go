package counting

import (
	"cmp"
	"slices"
)

// variable is the number of a variable, which is not negative.
type variable int32

// program is linear equations over variables.
type program struct {
	variables int
	rows      []row
}

// row is the equation that the sum of terms is constant.
type row struct {
	terms    []term // ascending, with factors other than 0, once tidied
	constant int64
}

type term struct {
	variable variable
	factor   int64
}

func (p *program) variable() variable {
	p.variables++
	return variable(p.variables - 1)
}

func (r *row) add(x variable, factor int64) { r.terms = append(r.terms, term{x, factor}) }

// tidy sorts the terms and adds up those of one variable.
func (r *row) tidy() {
	slices.SortFunc(r.terms, func(a, b term) int { return cmp.Compare(a.variable, b.variable) })
	out := r.terms[:0]
	for _, t := range r.terms {
		if n := len(out); n > 0 && out[n-1].variable == t.variable {
			out[n-1].factor += t.factor
		} else {
			out = append(out, t)
		}
	}
	r.terms = slices.DeleteFunc(out, func(t term) bool { return t.factor == 0 })
}

// size returns the number of terms.
func (p *program) size() int {
	n := 0
	for _, r := range p.rows {
		n += len(r.terms)
	}
	return n
}

const zero variable = -1 // stands for a variable that is 0

// simplify removes variables that are 0, or equal to others, which straight code has many
// of, and those with a known value from all rows but one. It returns for each variable the
// one that stands for it; not feasible if a row cannot hold.
func (p *program) simplify() (simple program, standsFor []variable, feasible bool) {
	s := &simplifier{standsFor: make([]variable, p.variables), value: map[variable]int64{}}
	for i := range s.standsFor {
		s.standsFor[i] = variable(i)
	}
	rows := slices.Clone(p.rows)
	for changed := true; changed; {
		changed = false
		left := rows[:0]
		for _, r := range rows {
			r = s.apply(r)
			known := len(s.value)
			keep, ok := s.deduce(r)
			if !ok {
				return program{}, nil, false
			}
			if keep {
				left = append(left, r)
			}
			changed = changed || !keep || len(s.value) > known
		}
		rows = left
	}
	for x, value := range s.value {
		rows = append(rows, row{[]term{{x, 1}}, value})
	}
	slices.SortStableFunc(rows[len(rows)-len(s.value):], func(a, b row) int {
		return cmp.Compare(a.terms[0].variable, b.terms[0].variable)
	})
	for i := range s.standsFor {
		s.standsFor[i] = s.find(variable(i))
	}
	return program{p.variables, rows}, s.standsFor, true
}

// simplifier is what is known of variables.
type simplifier struct {
	standsFor []variable
	value     map[variable]int64
}

func (s *simplifier) find(x variable) variable {
	for x != zero && s.standsFor[x] != x {
		x = s.standsFor[x]
	}
	return x
}

// apply replaces the variables of a row by what is known of them. Its constant becomes
// positive, or 0.
func (s *simplifier) apply(r row) row {
	out := row{make([]term, 0, len(r.terms)), r.constant}
	for _, t := range r.terms {
		x := s.find(t.variable)
		if value, known := s.value[x]; known {
			out.constant -= t.factor * value
		} else if x != zero {
			out.terms = append(out.terms, term{x, t.factor})
		}
	}
	out.tidy()
	if out.constant < 0 {
		out.constant = -out.constant
		for i := range out.terms {
			out.terms[i].factor = -out.terms[i].factor
		}
	}
	return out
}

// deduce notes what a row says about single variables; keep is false if that is all, ok if
// it can hold.
func (s *simplifier) deduce(r row) (keep, ok bool) {
	positive, negative := 0, 0
	for _, t := range r.terms {
		if t.factor > 0 {
			positive++
		} else {
			negative++
		}
	}
	switch {
	case r.constant > 0 && positive == 0:
		return false, false
	case r.constant == 0 && (positive == 0 || negative == 0):
		for _, t := range r.terms {
			s.standsFor[t.variable] = zero
		}
		return false, true
	case len(r.terms) == 1:
		if r.constant%r.terms[0].factor != 0 {
			return false, false
		}
		s.value[r.terms[0].variable] = r.constant / r.terms[0].factor
		return false, true
	case r.constant == 0 && len(r.terms) == 2 && r.terms[0].factor == -r.terms[1].factor:
		s.standsFor[r.terms[1].variable] = r.terms[0].variable
		return false, true
	}
	return true, true
}
