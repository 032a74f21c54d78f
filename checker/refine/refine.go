// Package refine is the default engine: a portfolio of methods, each in a file of its own,
// that work in turns on the labels that are still open (portfolio.go).
//
//   - exact: no component is recursive. Each becomes a finite automaton with the same
//     words, and their product is explored breadth-first.
//   - bounded: recursion is cut at a depth, and the search after a number of states; both
//     grow, so that every common word is found in the end. It decides what is not recursive
//     and too large for exact.
//   - regular: a recursive component is approximated by a finite automaton with more words,
//     and what is spurious in the product is cut from it (Long, Calin, Majumdar, Meyer:
//     Language-Theoretic Abstraction Refinement, FASE 2012).
//   - lock histories: the threads' locks are nested, and no histories of what they do with
//     them can be interleaved (package histories).
//   - counting: no word can have as many of each action in one component as in another
//     (package counting).
//
// An answer says which of them decided. Every word is run on the pushdown systems before
// it is an answer, by saturation restricted to it.
//
// A state of a product is left out if one that was visited before simulates it. That
// keeps two chains of calls from being explored in all pairs of depths.
// Of the letters that can be taken only those of a stubborn set are, which keeps words
// as short as they are (stubborn.go).
//
// What the same engine is asked about later may have the same components, or come to the
// same product: both are remembered (memo.go, explore.go).
//
// A word is a shortest one unless it was found by bounded in a recursive system.
package refine

import (
	"context"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/cpds"
)

// New returns the engine.
func New() checker.Engine { return engine{newMemo()} }

type engine struct{ memo *memo }

func (engine) Name() string { return "refine" }

// Decide implements checker.Engine. Limits.Rounds bounds the number of turns, hence of
// products of refined automata; Limits.States is applied to each product, each automaton
// and each saturation by itself.
//
// The engine keeps the automata of components, for the systems that it is asked about
// later: see memo.go.
func (e engine) Decide(ctx context.Context, s *cpds.System, limits checker.Limits) []checker.Answer {
	d := newDecision(ctx, s, limits)
	d.memo = e.memo
	if err := d.approximate(); err != nil {
		return d.finish(err)
	}
	return d.finish(d.run(d.portfolio()))
}

// decision is one call of Decide.
type decision struct {
	ctx       context.Context
	system    *cpds.System
	limits    checker.Limits
	labels    *automaton.Labels
	members   [][]int32 // by action: the components that have it in their alphabet; none if silent
	processes []*process
	open      automaton.Set // labels without an answer
	answers   []checker.Answer
	work      checker.Work
	memo      *memo
}

// process is what is known about one component.
type process struct {
	component *cpds.Component
	pds       *poststar.Pushdown
	identity  string // see identity; "" if it has not been needed
	builder   *builder
	isPaid    bool                 // the work of making the builder is counted already
	automaton *automaton.Automaton // its language or more
	exact     bool
	cutting   map[int]*automaton.Automaton // by depth at which recursion is cut
	labelled  bool                         // acceptance depends on the label
	recursive bool                         // cutting recursion cuts something
	cuts      int                          // how often something was cut from the automaton
}

func newDecision(ctx context.Context, s *cpds.System, limits checker.Limits) *decision {
	labels := automaton.LabelsOf(s)
	d := &decision{
		ctx: ctx, system: s, limits: limits, labels: labels,
		members: make([][]int32, len(s.Actions)),
		open:    labels.All(), answers: make([]checker.Answer, len(labels.Names)), memo: newMemo(),
	}
	for i, name := range labels.Names {
		d.answers[i].Label = name
	}
	for i, pds := range poststar.Compile(s, labels) {
		c := s.Components[i]
		labelled := false
		for _, f := range c.Final {
			labelled = labelled || f.Label != ""
		}
		d.processes = append(d.processes, &process{component: c, pds: pds, labelled: labelled})
		for _, a := range pds.Letters {
			d.members[a] = append(d.members[a], int32(i))
		}
	}
	return d
}

// approximate builds the first automaton of each component.
func (d *decision) approximate() error {
	for _, p := range d.processes {
		if err := d.memo.approximate(d, p); err != nil {
			return err
		}
	}
	d.prune()
	return nil
}

func (d *decision) automata() []*automaton.Automaton {
	var out []*automaton.Automaton
	for _, p := range d.processes {
		out = append(out, p.automaton)
	}
	return out
}

// refute answers that there are no words with the labels.
func (d *decision) refute(labels automaton.Set, by string) {
	for i := range d.answers {
		if d.labels.Has(labels, i) {
			d.answer(i, checker.Answer{Status: checker.Empty, By: by})
		}
	}
}

func (d *decision) answer(label int, a checker.Answer) {
	a.Label = d.labels.Names[label]
	d.answers[label] = a
	d.open = d.labels.Without(d.open, d.labels.Of(label))
}

// finish fills in what is still open, and what was done altogether.
func (d *decision) finish(err error) []checker.Answer {
	reason := ""
	if err != nil {
		reason = err.Error()
	}
	for i := range d.answers {
		if d.answers[i].Work = d.work; d.labels.Has(d.open, i) {
			d.answers[i].Reason = reason
		}
	}
	return d.answers
}
