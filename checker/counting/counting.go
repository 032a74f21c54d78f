// Package counting proves that pushdown systems have no common word by counting how
// often rules are applied: the numbers of an accepting run satisfy linear equations
// (every control is left as often as it is entered, every symbol is read as often as it
// is written, but for the first and the last configuration), and a common word has as
// many of each action in one system as in the next. If the equations of all systems
// together have no solution, there is none.
//
// The equations are those of Verma, Seidl and Schwentick (On the complexity of equational
// Horn clauses, CADE 2005): solutions are whole numbers, and the rules that are applied hang
// together. Both are asked for where a solution without them is found, by telling cases apart.
// They describe the Parikh images of systems with one control just so, and are more
// than those of others.
//
// Order is not seen but for one thing: whether an action stands before or behind the first
// of another kind. That is tried for each kind, where counting alone does not help.
//
// That refutes what no regular language separates, as a^n b^n from a^n b^m with m > n.
package counting

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
)

const (
	// maxRules bounds the rules of the systems together.
	maxRules = 20_000
	// maxDivided bounds them where words are divided at a letter, or controls told apart.
	maxDivided = 2_000
	// maxCases bounds the cases that are told apart, and maxDividedCases where words are
	// divided.
	maxCases, maxDividedCases = 64, 16
)

// Disjoint tells whether the equations prove that the systems have no common word with
// the label. It says no if they are too many or too hard, or if the context is done.
func Disjoint(ctx context.Context, systems []*poststar.Pushdown, labels *automaton.Labels, label int) bool {
	rules := 0
	for _, p := range systems {
		p.Prepare()
		rules += len(p.Rules)
	}
	if rules > maxRules {
		return false
	}
	if !newEquations(systems, labels, label, noLetter).solvable(ctx, maxCases) {
		return true
	}
	if rules > maxDivided {
		return false
	}
	for _, at := range lettersOfAll(systems) {
		if ctx.Err() == nil && !newEquations(systems, labels, label, at).solvable(ctx, maxDividedCases) {
			return true
		}
	}
	return false
}

// maxLetters bounds the letters at which words are divided.
const maxLetters = 32

// lettersOfAll returns the letters that all systems have, ascending, up to a number.
func lettersOfAll(systems []*poststar.Pushdown) []int32 {
	var all []int32
	for _, a := range systems[0].Letters {
		if !slices.ContainsFunc(systems, func(p *poststar.Pushdown) bool { return !slices.Contains(p.Letters, a) }) {
			all = append(all, a)
		}
	}
	return all[:min(len(all), maxLetters)]
}
