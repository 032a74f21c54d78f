package counting

import (
	"context"
	"math/big"
)

// solvable tells whether the equations have a solution without negative numbers; it
// says yes if the context is done. It is the first phase of the simplex method, with
// exact numbers and Bland's rule, so that it ends.
func (e *equations) solvable(ctx context.Context) bool {
	t := newTableau(e)
	for ctx.Err() == nil {
		column := t.entering()
		if column < 0 {
			return t.rows[len(t.rows)-1][t.columns].Sign() == 0
		}
		t.pivot(t.leaving(column), column)
	}
	return true
}

// tableau has a row for each equation, with a basic variable each, and a last one for
// what is to become zero: minus the sum of the artificial variables.
type tableau struct {
	rows    [][]*big.Rat
	columns int   // variables, without the artificial ones; behind them the constant
	basis   []int // by row; columns and more stand for artificial variables
}

func newTableau(e *equations) *tableau {
	t := &tableau{columns: e.variables}
	sum := make([]*big.Rat, t.columns+1)
	for j := range sum {
		sum[j] = new(big.Rat)
	}
	for i, r := range e.rows {
		sign := int64(1)
		if r.constant < 0 {
			sign = -1
		}
		cells := make([]*big.Rat, t.columns+1)
		for j := range cells {
			cells[j] = new(big.Rat)
		}
		for j, c := range r.coefficients {
			cells[j].SetInt64(sign * c)
		}
		cells[t.columns].SetInt64(sign * r.constant)
		for j := range cells {
			sum[j].Sub(sum[j], cells[j])
		}
		t.rows = append(t.rows, cells)
		t.basis = append(t.basis, t.columns+i)
	}
	t.rows = append(t.rows, sum)
	return t
}

// entering returns the first column that makes the sum smaller, -1 if none does.
func (t *tableau) entering() int {
	for j, c := range t.rows[len(t.rows)-1][:t.columns] {
		if c.Sign() < 0 {
			return j
		}
	}
	return -1
}

// leaving returns the row whose basic variable becomes zero first. There is one: the
// sum is bounded.
func (t *tableau) leaving(column int) int {
	best := -1
	var least, ratio big.Rat
	for i := range t.basis {
		if t.rows[i][column].Sign() <= 0 {
			continue
		}
		ratio.Quo(t.rows[i][t.columns], t.rows[i][column])
		if c := ratio.Cmp(&least); best < 0 || c < 0 || c == 0 && t.basis[i] < t.basis[best] {
			best = i
			least.Set(&ratio)
		}
	}
	return best
}

// pivot makes the column's variable the basic one of a row.
func (t *tableau) pivot(row, column int) {
	t.basis[row] = column
	pivot := t.rows[row]
	factor := new(big.Rat).Inv(pivot[column])
	for _, c := range pivot {
		c.Mul(c, factor)
	}
	var product big.Rat
	for i, other := range t.rows {
		if i == row || other[column].Sign() == 0 {
			continue
		}
		factor := new(big.Rat).Set(other[column])
		for j, c := range pivot {
			if c.Sign() != 0 {
				other[j].Sub(other[j], product.Mul(factor, c))
			}
		}
	}
}
