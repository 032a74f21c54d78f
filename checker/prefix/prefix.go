// Package prefix is the published semi-decision procedure: the action language of
// each component is abstracted to its words of at most k letters and the prefixes
// of k letters of its longer words, for growing k (Bouajjani, Esparza, Touili:
// A Generic Approach to the Static Analysis of Concurrent Programs with Procedures,
// POPL 2003; Chaki, Clarke, Kidd, Reps, Touili: Verifying Concurrent
// Message-Passing C Programs with Recursive Calls, TACAS 2006). The abstractions
// are computed by weighted post*. It is the baseline for package refine.
package prefix

import (
	"context"
	"fmt"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/cpds"
)

// New returns the engine.
func New() checker.Engine { return engine{} }

type engine struct{}

func (engine) Name() string { return "prefix" }

// Decide implements checker.Engine. Limits.Rounds bounds the length of prefixes;
// Limits.States is applied to the transitions of each post*, the states of each
// product, the languages held at one time and, with a factor, to the results of
// operations on languages that are remembered. A word is a shortest one.
func (engine) Decide(ctx context.Context, s *cpds.System, limits checker.Limits) []checker.Answer {
	d := &decision{ctx: ctx, limits: limits, labels: automaton.LabelsOf(s)}
	d.pds = poststar.Compile(s, d.labels)
	d.domain = newDomain(ctx, 0, limits.States)
	d.letters = newLetters(d.pds, len(s.Actions))
	d.product = newProduct(d.domain, d.letters, limits.States)
	d.answers = make([]checker.Answer, len(d.labels.Names))
	d.open = d.labels.All()
	for i, name := range d.labels.Names {
		d.answers[i].Label = name
	}
	return d.run()
}

// newLetters says where the letters of components are; there are count at most.
func newLetters(pds []*poststar.Pushdown, count int) *letters {
	l := &letters{make([][]int32, count), make([][]int32, len(pds))}
	for i, p := range pds {
		for _, a := range p.Letters {
			if len(l.members[a]) == 0 {
				l.first[i] = append(l.first[i], a)
			}
			l.members[a] = append(l.members[a], int32(i))
		}
	}
	return l
}

type decision struct {
	ctx     context.Context
	limits  checker.Limits
	labels  *automaton.Labels
	pds     []*poststar.Pushdown
	letters *letters
	domain  *domain
	product *product
	open    automaton.Set
	answers []checker.Answer
	work    checker.Work
}

func (d *decision) run() []checker.Answer {
	reason := ""
	for k := 1; d.open != automaton.None && reason == ""; k++ {
		if d.limits.Rounds > 0 && k > d.limits.Rounds {
			reason = fmt.Sprintf("the limit of %d on the length of prefixes is passed", d.limits.Rounds)
			break
		}
		d.work.Rounds = k
		if err := d.round(k); err != nil {
			reason = err.Error()
		}
	}
	for i := range d.answers {
		if d.labels.Has(d.open, i) {
			d.answers[i].Reason, d.answers[i].Work = reason, d.work
		}
	}
	return d.answers
}

// round abstracts the components for one length and intersects the abstractions
// for each open label.
func (d *decision) round(k int) error {
	dom := d.domain
	dom.reset(k)
	var weighted []*poststar.Weighted[language, *domain]
	for _, p := range d.pds {
		w, err := poststar.Weigh(d.ctx, p, d.labels, dom, dom.letter, d.limits.States)
		if dom.full {
			return d.overflow(k)
		}
		if err != nil {
			return err
		}
		weighted = append(weighted, w)
	}
	for label := range d.answers {
		if !d.labels.Has(d.open, label) {
			continue
		}
		roots := make([]language, len(weighted))
		for i, w := range weighted {
			roots[i] = w.Final(d.labels, label)
		}
		if dom.full {
			return d.overflow(k)
		}
		p := d.product
		kind, word, err := p.search(d.ctx, roots)
		d.work.States += len(p.parent)
		d.work.Transitions += p.moves
		if err != nil {
			return err
		}
		if err := d.conclude(label, k, kind, word); err != nil {
			return err
		}
	}
	return nil
}

// overflow says why the domain of a length is full.
func (d *decision) overflow(k int) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("the languages of the prefixes of length %d take more states than allowed", k)
}

// conclude answers a label if the product did.
func (d *decision) conclude(label, k int, kind outcome, word []int32) error {
	answer := checker.Answer{Label: d.labels.Names[label], By: fmt.Sprintf("prefix %d", k), Work: d.work}
	switch kind {
	case tooLarge:
		return fmt.Errorf("the product of the prefixes of length %d has more states than allowed", k)
	case cutWord:
		return nil
	case noWord:
		answer.Status = checker.Empty
	case exactWord:
		answer.Status = checker.Common
		answer.Word = make([]int, len(word))
		for i, a := range word {
			answer.Word[i] = int(a)
		}
		for _, p := range d.pds {
			guide := automaton.Word(p.Project(word), d.labels.All())
			run, err := poststar.Accepts(d.ctx, p, d.labels, guide, label, d.limits.States)
			if err != nil {
				return err
			}
			if run == nil {
				return fmt.Errorf("internal error: a word of all components has no run")
			}
			answer.Runs = append(answer.Runs, run)
		}
	}
	d.answers[label] = answer
	d.open = d.labels.Without(d.open, d.labels.Of(label))
	return nil
}
