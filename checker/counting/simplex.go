package counting

import (
	"cmp"
	"context"
	"slices"

	"github.com/empire-go/empire-go/limit"
)

// solution is the values of variables; those that are left out are 0.
type solution map[variable]rational

// maxPivots bounds one search for a solution, and blandPivots is how many of them in a row
// may make no progress before the choice of columns keeps them from going round.
const maxPivots, blandPivots = 4000, 40

// solve returns a solution of the equations without negative numbers; feasible is false if
// there is none, and known if neither was found out: the context is done, or there are too
// many steps or too large numbers. It is the first phase of the simplex method, with exact
// numbers and sparse rows.
func (p *program) solve(ctx context.Context) (s solution, feasible, known bool) {
	t := newTableau(p)
	still := 0
	for n := 0; n < maxPivots && limit.Pay(ctx, limit.Pivot+t.takeWork()) == nil && !t.overflow; n++ {
		column, ok := t.entering(still > blandPivots)
		if !ok {
			return t.solution(), t.rest.constant.sign() == 0, !t.overflow
		}
		before := t.rest.constant
		t.pivot(t.leaving(column), column)
		if still++; t.rest.constant != before {
			still = 0
		}
	}
	return nil, true, false
}

// tableau has a row for each equation, with a basic variable each, whose factor is 1 and
// which is in no other row.
type tableau struct {
	rows     []sparse
	basis    []variable // by row; -1-i is an artificial variable, which never comes back
	rest     sparse     // what is to become 0: minus the sum of the rows with artificial variables
	overflow bool
	looked   int // cells that were worked out, and not paid for: rows fill up
}

// takeWork returns the work that was done since it was last asked.
func (t *tableau) takeWork() limit.Work {
	work := limit.Work(t.looked) * limit.Factor
	t.looked = 0
	return work
}

// sparse is a row with rational factors.
type sparse struct {
	cells    []cell // ascending, not 0
	constant rational
}

type cell struct {
	variable variable
	factor   rational
}

func newTableau(p *program) *tableau {
	t := &tableau{}
	for i, r := range p.rows {
		sign := int64(1)
		if r.constant < 0 {
			sign = -1
		}
		row := sparse{constant: rational{sign * r.constant, 1}}
		for _, x := range r.terms {
			row.cells = append(row.cells, cell{x.variable, rational{sign * x.factor, 1}})
		}
		t.rows = append(t.rows, row)
		t.basis = append(t.basis, variable(-1-i))
		t.rest = t.minus(t.rest, row, rational{1, 1})
	}
	return t
}

// entering returns a column that makes the rest smaller: the steepest, or the first.
func (t *tableau) entering(first bool) (variable, bool) {
	best := -1
	for i, c := range t.rest.cells {
		if c.factor.sign() < 0 && (best < 0 || !first && c.factor.less(t.rest.cells[best].factor)) {
			best = i
		}
	}
	if best < 0 {
		return 0, false
	}
	return t.rest.cells[best].variable, true
}

// leaving returns the row whose basic variable becomes 0 first. There is one: the rest
// is bounded.
func (t *tableau) leaving(column variable) int {
	best := -1
	var least rational
	for i := range t.rows {
		factor := t.rows[i].at(column)
		if factor.sign() <= 0 {
			continue
		}
		ratio, ok := t.rows[i].constant.over(factor)
		t.overflow = t.overflow || !ok
		if best < 0 || ratio.less(least) || ratio == least && t.basis[i] < t.basis[best] {
			best, least = i, ratio
		}
	}
	return best
}

// pivot makes the column's variable the basic one of a row.
func (t *tableau) pivot(row int, column variable) {
	if row < 0 {
		t.overflow = true
		return
	}
	r := &t.rows[row]
	factor := r.at(column)
	for i := range r.cells {
		r.cells[i].factor = t.divide(r.cells[i].factor, factor)
	}
	r.constant = t.divide(r.constant, factor)
	t.basis[row] = column
	for i := range t.rows {
		if factor := t.rows[i].at(column); i != row && factor.sign() != 0 {
			t.rows[i] = t.minus(t.rows[i], *r, factor)
		}
	}
	t.rest = t.minus(t.rest, *r, t.rest.at(column))
}

func (t *tableau) divide(a, b rational) rational {
	c, ok := a.over(b)
	t.overflow = t.overflow || !ok
	return c
}

// minus returns a - factor*b.
func (t *tableau) minus(a, b sparse, factor rational) sparse {
	t.looked += len(a.cells) + len(b.cells)
	out := sparse{cells: make([]cell, 0, len(a.cells)+len(b.cells)), constant: t.subtract(a.constant, b.constant, factor)}
	i := 0
	for _, c := range b.cells {
		for i < len(a.cells) && a.cells[i].variable < c.variable {
			out.cells = append(out.cells, a.cells[i])
			i++
		}
		old := rational{0, 1}
		if i < len(a.cells) && a.cells[i].variable == c.variable {
			old = a.cells[i].factor
			i++
		}
		if f := t.subtract(old, c.factor, factor); f.sign() != 0 {
			out.cells = append(out.cells, cell{c.variable, f})
		}
	}
	out.cells = append(out.cells, a.cells[i:]...)
	return out
}

func (t *tableau) subtract(a, b, factor rational) rational {
	c, ok := a.minus(b, factor)
	t.overflow = t.overflow || !ok
	return c
}

// at returns the factor of a variable.
func (s *sparse) at(x variable) rational {
	i, ok := slices.BinarySearchFunc(s.cells, x, func(c cell, x variable) int { return cmp.Compare(c.variable, x) })
	if !ok {
		return rational{0, 1}
	}
	return s.cells[i].factor
}

func (t *tableau) solution() solution {
	s := solution{}
	for i, x := range t.basis {
		if x >= 0 && t.rows[i].constant.sign() != 0 {
			s[x] = t.rows[i].constant
		}
	}
	return s
}
