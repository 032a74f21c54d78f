package pipeline

import (
	"cmp"
	"context"
	"errors"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harm"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// The search for harm goes from what is cheap and likely to what is dear: runs of the pairs of units that
// were found come first, those that show data races next, and then the model is searched for other pairs; runs with a
// small part of the budget at first. What was tried to its end is remembered, so that a later try with more work goes
// on where the earlier one was.

// Harm is nearly always near: so each pair gets a small part of its budget before any gets all of it.
var budgetParts = []int{20, 1}

// harmSearch looks for the harm of the violations of a query.
type harmSearch struct {
	analysis   *analysis
	experiment experiment
	subject    *execute.Subject
	model      *model // that the violations were found in
	part       int    // of the budget, see experiment.try

	tried  map[attempt]string // what is said of pairs that were tried to the end, and did no harm
	races  []shownRace        // in any run
	others *others            // nil until they are looked for
}

// attempt is that a pair is tried with a part of the budget.
type attempt struct {
	pair   [2]string
	part   int
	isRace bool
}

func (a *analysis) newHarmSearch(m *model) *harmSearch {
	return &harmSearch{analysis: a, model: m, subject: a.watched(), tried: map[attempt]string{}}
}

// addHarm says of each violation of a query whether it does what no order of its units does. The
// experiments are locked.
func (a *analysis) addHarm(ctx context.Context, h *harmSearch, q *QueryResult, m model) error {
	h.experiment = a.runner.experiments.of(a.entry)
	why := h.experiment.ready()
	var violations, all []*ScenarioResult
	for i := range q.Scenarios {
		s := &q.Scenarios[i]
		if s.Verdict != VerdictViolation || s.Scenario == scenarios.DataRaces.Number {
			continue
		}
		all = append(all, s)
		if s.Harm != nil && s.Harm.Status == HarmPossible { // known from an earlier try
			continue
		}
		s.Harm = &Harm{Status: HarmUnknown}
		if _, err := h.experiment.pairOf(s); cmp.Or(err, why) != nil {
			s.Harm.Reason = cmp.Or(err, why).Error()
		}
		violations = append(violations, s)
	}
	if len(all) == 0 && len(q.Races) == 0 {
		return nil
	}
	if m.lowered != nil && h.others == nil {
		h.others = newOthers(a, m.lowered, all)
	}
	h.others.begin()
	if why != nil {
		for i := range q.Races {
			q.Races[i].Harm = &Harm{Status: HarmUnknown, Reason: why.Error()}
		}
		return a.addNone(ctx, q, h, violations)
	}
	for _, h.part = range budgetParts {
		h.ofPairs(ctx, violations)
		a.addRaces(ctx, h, q)
		if err := h.others.lookFor(ctx, h, violations, false); err != nil {
			return err
		}
	}
	if err := a.addNone(ctx, q, h, violations); err != nil {
		return err
	}
	h.part = budgetParts[0]
	h.others.begin() // what else does harm is looked for whatever it took to find some
	return h.others.lookFor(ctx, h, all, true)
}

// ofPairs looks for the harm of violations that none is known of, those of one pair together.
func (h *harmSearch) ofPairs(ctx context.Context, violations []*ScenarioResult) {
	byPair := map[[2]string][]*ScenarioResult{}
	var order [][2]string
	for _, s := range violations {
		if pair, err := h.experiment.pairOf(s); err == nil && s.Harm.Status == HarmUnknown {
			if byPair[pair] == nil {
				order = append(order, pair)
			}
			byPair[pair] = append(byPair[pair], s)
		}
	}
	for _, pair := range order {
		h.of(ctx, pair, byPair[pair])
	}
}

// fruitless returns what is said of a pair that was tried with the part of the budget, or a larger one, and did no
// harm, or had no race.
func (h *harmSearch) fruitless(pair [2]string, isRace bool) (reason string, ok bool) {
	for _, part := range budgetParts {
		if reason, ok := h.tried[attempt{pair, part, isRace}]; ok && part <= h.part {
			return reason, true
		}
	}
	return "", false
}

// of looks for the harm that two units do, for the violations that they are shown with.
func (h *harmSearch) of(ctx context.Context, pair [2]string, violations []*ScenarioResult) {
	if reason, ok := h.fruitless(pair, false); ok {
		for _, s := range violations {
			if s.Harm.Status != HarmPossible {
				s.Harm.Reason = reason
			}
		}
		return
	}
	var best *harm.Finding // of any of the scenarios
	left := len(violations)
	unpromised := map[*ScenarioResult]string{}
	tried, err := h.experiment.try(ctx, pair, h.subject, h.part, func(f *harm.Finding) harm.Next {
		h.noteRace(pair, f)
		if !f.IsHarmful {
			return harm.GoOn
		}
		for _, s := range violations {
			if why := h.analysis.whyUnpromised(s, pair, f); why != "" {
				unpromised[s] = why
			} else if _, shows := f.Scenarios[s.Scenario]; shows && f.IsOf(h.subject.Fields) && s.Harm.Status != HarmPossible {
				s.Harm = possible(f)
				left--
			}
		}
		if len(unpromised) == len(violations) {
			return harm.Settle
		}
		if f.Meets && f.IsOf(h.subject.Fields) && (best == nil || f.Observed && !best.Observed) {
			best = f
		}
		switch {
		case left == 0:
			return harm.Enough
		case best != nil: // it may not show the scenario itself
			return harm.Settle
		}
		return harm.GoOn
	})
	reason := "no outcome was found that no order of the units gives, " + tried
	if err != nil {
		reason = whyNoHarm(ctx, err)
	}
	if len(unpromised) == len(violations) {
		reason = unpromised[violations[0]]
	}
	if best == nil && ctx.Err() == nil {
		h.tried[attempt{pair, h.part, false}] = reason
	}
	for _, s := range violations {
		switch {
		case s.Harm.Status == HarmPossible:
		case unpromised[s] != "":
			s.Harm.Reason = unpromised[s]
		case best != nil:
			s.Harm = possible(best)
		default:
			s.Harm.Reason = reason
		}
	}
}

// whyNoHarm says why nothing was found out under a context.
func whyNoHarm(ctx context.Context, err error) string {
	switch b := limit.Passed(ctx); {
	case errors.Is(err, harm.ErrNoCall), errors.Is(err, harm.ErrNoStart), errors.Is(err, harm.ErrNever):
		// More work would change nothing.
	case b != nil:
		return (&limitError{b, "harm"}).Error()
	case ctx.Err() != nil:
		return interrupted
	}
	return err.Error()
}

// possible is the harm that a run of the interpreter has done.
func possible(f *harm.Finding) *Harm {
	return &Harm{Status: HarmPossible, Start: f.Start, Calls: f.Calls, Imports: f.Imports, Expected: f.Expected,
		Actual: f.Actual, Schedule: f.Schedule}
}

// watched is the object that harm is looked for on.
func (a *analysis) watched() *execute.Subject {
	subject := &execute.Subject{Type: a.subject.Type, Fields: a.subject.Fields, Local: a.subject.Local, Line: -1,
		All: !a.entry.IsLibrary(), Strict: a.request.Strict}
	if a.subject.Type == nil && a.subject.Local == nil {
		for _, f := range a.subject.Fields {
			subject.Vars = append(subject.Vars, a.subject.Vars[f])
		}
	}
	return subject
}
