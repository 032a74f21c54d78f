// Package refine is the default engine: it approximates each component by a finite
// automaton, searches their product breadth-first, checks what it finds exactly,
// and refines the approximations that were too coarse (Long, Calin, Majumdar,
// Meyer: Language-Theoretic Abstraction Refinement, FASE 2012).
//
// The automaton of a component without recursion is exact, unless inlining its calls
// makes it too large. That of a recursive one accepts more words. A word of all automata is run on the pushdown systems, by
// saturation restricted to it. If a component does not have it, the word is
// generalised to a regular language that saturation shows to be disjoint from the
// component's, and that language is cut from the component's automaton.
//
// A state of the product is left out if one that was visited before simulates it. That
// keeps two chains of calls from being explored in all pairs of depths.
//
// The product being empty for a label proves Empty. For recursive systems, which
// are undecidable, a search of the subsets with bounded recursion takes turns with
// the refinement, with growing bounds, so that every common word is found in the
// end; it stops as soon as refinement answers.
//
// What counting rules proves (see package counting) is asked after the first product.
//
// A word is a shortest one unless it was found by the bounded search.
package refine

import (
	"context"
	"errors"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/counting"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/cpds"
)

// New returns the engine.
func New() checker.Engine { return engine{} }

type engine struct{}

func (engine) Name() string { return "refine" }

// Decide implements checker.Engine. Limits.Rounds bounds the number of products of
// refined automata; Limits.States is applied to each product, each automaton and
// each saturation by itself.
func (engine) Decide(ctx context.Context, s *cpds.System, limits checker.Limits) []checker.Answer {
	d := newDecision(ctx, s, limits)
	if err := d.approximate(); err != nil {
		return d.finish(err)
	}
	return d.finish(d.loop())
}

// decision is one call of Decide.
type decision struct {
	ctx     context.Context
	system  *cpds.System
	limits  checker.Limits
	labels  *automaton.Labels
	members [][]int32 // by action: the components that have it in their alphabet; none if silent
	parts   []*part
	open    automaton.Set // labels without an answer
	answers []checker.Answer
	work    checker.Work
	by      string
	bounded bounded
}

// part is what is known about one component.
type part struct {
	component *cpds.Component
	pds       *poststar.Pushdown
	builder   *builder
	automaton *automaton.Automaton // its language or more
	exact     bool
	labelled  bool // acceptance depends on the label
	cuts      int  // how often something was cut from the automaton
}

func newDecision(ctx context.Context, s *cpds.System, limits checker.Limits) *decision {
	labels := automaton.LabelsOf(s)
	d := &decision{
		ctx: ctx, system: s, limits: limits, labels: labels,
		members: make([][]int32, len(s.Actions)),
		open:    labels.All(), answers: make([]checker.Answer, len(labels.Names)),
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
		d.parts = append(d.parts, &part{component: c, pds: pds, labelled: labelled})
		for _, a := range pds.Letters {
			d.members[a] = append(d.members[a], int32(i))
		}
	}
	return d
}

// approximate builds the first automaton of each component.
func (d *decision) approximate() error {
	for _, p := range d.parts {
		b, err := newBuilder(d.ctx, p.pds, d.labels, d.limits.States)
		if err != nil {
			return err
		}
		p.builder = b
		if p.automaton, p.exact, err = b.superset(d.limits.States); err != nil {
			return err
		}
	}
	d.by = "regular"
	if d.exact() {
		d.by = "exact"
	}
	return nil
}

func (d *decision) exact() bool {
	for _, p := range d.parts {
		if !p.exact {
			return false
		}
	}
	return true
}

// loop searches and refines until every label has its answer.
func (d *decision) loop() error {
	for {
		d.work.Rounds++
		spurious, err := d.round()
		if err != nil || d.open == automaton.None {
			return err
		}
		if d.work.Rounds == 1 {
			d.compareCounts()
		}
		if err := d.searchBounded(); err != nil || d.open == automaton.None {
			return err
		}
		if d.limits.Rounds > 0 && d.work.Rounds >= d.limits.Rounds {
			return errRounds
		}
		for _, w := range spurious {
			if err := d.cut(w); err != nil {
				return err
			}
		}
		d.by = "refined"
	}
}

// compareCounts answers the labels for which no word can have as many of each action in
// one component as in another. What spurious words there were for them is cut for
// nothing.
func (d *decision) compareCounts() {
	var systems []*poststar.Pushdown
	for _, p := range d.parts {
		systems = append(systems, p.pds)
	}
	for i := range d.answers {
		if d.labels.Has(d.open, i) && counting.Disjoint(d.ctx, systems, d.labels, i) {
			d.answer(i, checker.Answer{Status: checker.Empty, By: "counting"})
		}
	}
}

var errRounds = errors.New("the limit on rounds is passed")

// spurious is a word of a component's automaton that the component does not have.
type spurious struct {
	part  *part
	word  []int32
	label int
}

// round searches the product of the automata. Each open label is answered or has a
// spurious word.
func (d *decision) round() ([]spurious, error) {
	d.prune()
	var wrong []spurious
	undecided := automaton.None
	p := newProduct(d.labels, d.automata(), d.members)
	rest, err := p.search(d.ctx, d.open, d.limits.States, func(hit automaton.Set, word []int32) (automaton.Set, error) {
		found, err := d.check(hit, word, d.by)
		for _, w := range found {
			wrong = append(wrong, w)
			undecided = d.labels.Union(undecided, d.labels.Of(w.label))
		}
		return hit, err
	})
	d.count(p)
	if err != nil {
		return nil, err
	}
	for i := range d.answers {
		if d.labels.Has(rest, i) {
			d.answer(i, checker.Answer{Status: checker.Empty, By: d.by})
		}
	}
	d.open = undecided
	return wrong, nil
}

func (d *decision) automata() []*automaton.Automaton {
	var out []*automaton.Automaton
	for _, p := range d.parts {
		out = append(out, p.automaton)
	}
	return out
}

func (d *decision) count(p *product) {
	d.work.States += len(p.parent)
	d.work.Transitions += p.moves
}

func (d *decision) answer(label int, a checker.Answer) {
	a.Label, a.Work = d.labels.Names[label], d.work
	d.answers[label] = a
	d.open = d.labels.Without(d.open, d.labels.Of(label))
}

// finish fills in what is still open.
func (d *decision) finish(err error) []checker.Answer {
	reason := ""
	if err != nil {
		reason = err.Error()
	}
	for i := range d.answers {
		if d.labels.Has(d.open, i) {
			d.answers[i].Reason, d.answers[i].Work = reason, d.work
		}
	}
	return d.answers
}
