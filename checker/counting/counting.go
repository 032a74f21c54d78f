// Package counting proves that pushdown systems have no common word by counting how
// often rules are applied: the numbers of an accepting run satisfy linear equations
// (every control is left as often as it is entered, every symbol is read as often as it
// is written, but for the first and the last configuration), and a common word has as
// many of each action in one system as in the next. If the equations of all systems
// together have no solution in non-negative rationals, there is none.
//
// That is coarser than Parikh images (Verma, Seidl and Schwentick, On the complexity of
// equational Horn clauses, CADE 2005), which also ask for integers and for connected
// runs. It refutes what no regular language separates, as a^n b^n from a^n b^m with
// m > n, and nothing that depends on order.
package counting

import (
	"context"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
)

// MaxRules bounds the rules of the systems together: the equations are solved exactly.
const MaxRules = 160

// Disjoint tells whether the equations prove that the systems have no common word with
// the label. It says no if there are more than MaxRules, or if the context is done.
func Disjoint(ctx context.Context, systems []*poststar.Pushdown, labels *automaton.Labels, label int) bool {
	rules := 0
	for _, p := range systems {
		p.Prepare()
		rules += len(p.Rules)
	}
	if rules > MaxRules {
		return false
	}
	e := &equations{letters: map[int32]int{}}
	for _, p := range systems {
		e.add(p, labels, label)
	}
	return !e.solvable(ctx)
}

// equations collects linear equations over variables that are not negative.
type equations struct {
	variables int
	rows      []row
	letters   map[int32]int // by letter: the variable of how often it occurs
}

// row is the equation that the sum of coefficients times variables is constant.
type row struct {
	coefficients map[int]int64
	constant     int64
}

func (e *equations) variable() int {
	e.variables++
	return e.variables - 1
}

func newRow(constant int64) row { return row{map[int]int64{}, constant} }

// add adds the equations of the runs of a system to a configuration with the label.
func (e *equations) add(p *poststar.Pushdown, labels *automaton.Labels, label int) {
	controls, symbols := make([]row, p.Controls), make([]row, p.Symbols)
	for i := range controls {
		controls[i] = newRow(0)
	}
	for i := range symbols {
		symbols[i] = newRow(0)
	}
	controls[p.Initial.Control].constant--
	for _, g := range p.Initial.Stack {
		symbols[g].constant--
	}
	letters := map[int32]row{}
	for _, a := range p.Letters {
		letters[a] = newRow(0)
	}
	for i := range p.Rules {
		r, x := &p.Rules[i], e.variable()
		controls[r.From].coefficients[x]--
		controls[r.To].coefficients[x]++
		symbols[r.Top].coefficients[x]--
		if r.Push > 0 {
			symbols[r.Upper].coefficients[x]++
		}
		if r.Push > 1 {
			symbols[r.Lower].coefficients[x]++
		}
		if r.Letter != automaton.Epsilon {
			letters[r.Letter].coefficients[x]++
		}
	}
	e.end(p, labels, label, controls, symbols)
	for _, a := range p.Letters {
		count, known := e.letters[a]
		if !known {
			count = e.variable()
			e.letters[a] = count
		}
		letters[a].coefficients[count]--
		e.rows = append(e.rows, letters[a])
	}
}

// end says where a run can end: in one control with the label, with an empty stack or,
// if some control allows that, with any.
func (e *equations) end(p *poststar.Pushdown, labels *automaton.Labels, label int, controls, symbols []row) {
	once, open := newRow(1), false
	for c := range controls {
		if labels.Has(p.Emptied[c], label) {
			last := e.variable()
			controls[c].coefficients[last]--
			once.coefficients[last]++
		}
		open = open || labels.Has(p.Anywhere[c], label)
	}
	for g := range symbols {
		if open {
			symbols[g].coefficients[e.variable()]--
		}
	}
	e.rows = append(append(append(e.rows, controls...), symbols...), once)
}
