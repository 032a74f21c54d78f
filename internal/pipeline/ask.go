package pipeline

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

// asking is a query: it is tried with so much work, and then with more, until there is an answer.
// What has come to its end is kept from one try to the next.
type asking struct {
	analysis *analysis
	site     query.Site

	model       *model           // nil until it is made, or once it is forgotten
	of          *pointsto.Result // the graph that the model is of
	isModelled  bool             // there is, or was, a model with the detail
	detail      detail           // of the model
	refined     *refinement      // of an outline; nil: it is the first one
	cycles      bool             // outlines are asked about conflict cycles, too
	next        *refinement      // of the outline that was searched last; see nextRefinement
	isNextKnown bool
	first       *QueryResult // by models with less detail; nil: there is none
	assumed     []Assumption
	isSearched  bool       // all verdicts are there, and only harm may be left
	searches    int        // of the model
	passed      limit.Work // the most with which it was not made, or not searched to the end
	mayHarm     bool       // there is, or was, a model, and something in the answer of which harm can be told
	harm        *harmSearch
	answer      QueryResult

	isResting bool   // all verdicts are there, and one rests on what a model with more detail may refute
	done      bool   // more work changes nothing
	tooLarge  bool   // the model is
	isUnmade  bool   // the program makes no such object
	isSettled bool   // the answer has been told
	defect    string // an error in this program, for which there is no answer

	keys     slice       // under which the answer is kept
	kept     *keptAnswer // of an earlier run; nil: there is none
	isLooked bool        // for that
	tries    []try
	searched int // by which of them there are all verdicts
	rested   int // after how many of them it rested; 0: it never did
}

// newAsking returns a query that has not been tried.
func newAsking(a *analysis, site query.Site) *asking {
	return &asking{analysis: a, site: site, answer: a.unknown(site, noTurn)}
}

// check answers the query about one site, with all that a query may take.
func (a *analysis) check(ctx context.Context, site query.Site) (QueryResult, error) {
	q := newAsking(a, site)
	if err := q.try(ctx, a.runner.stageWork(a.request)); err != nil {
		return QueryResult{}, err
	}
	q.conclude()
	return q.answer, ctx.Err()
}

// conclude completes the answer, to which nothing is added any more.
func (q *asking) conclude() {
	defer q.concludeRaces()
	if !q.done || q.tooLarge {
		q.advise()
	}
	if q.answer.Verdict != VerdictSafe {
		q.answer.RestsOn = nil
	}
	q.nameClients()
}

// try goes on, with so much work, unless the answer is kept. The answer is what is known then.
func (q *asking) try(ctx context.Context, work limit.Work) error {
	if q.recall(work) {
		return nil
	}
	before := q.analysis.runner.budget.remains()
	err := q.tryModels(ctx, work)
	if err == nil && ctx.Err() == nil {
		q.keep(work, before-q.analysis.runner.budget.remains())
	}
	return err
}

// tryModels is try where the answer is not kept. Where nothing is shared there is one try only, which is
// then about all models.
func (q *asking) tryModels(ctx context.Context, work limit.Work) error {
	shared, err := q.analysis.runner.budget != nil, error(nil)
	if q.isResting {
		q.isResting = false
		q.useMoreDetail()
	}
	for again := true; again && err == nil; {
		before := q.analysis.runner.budget.remains()
		if err = q.tryModel(ctx, work); err != nil {
			break
		}
		again = q.nextModel()
		if shared && q.detail == outline { // these cost little: there may be several in one try
			work -= before - q.analysis.runner.budget.remains()
			again = again && work > 0
		} else if shared {
			again = again && q.analysis.runner.turn == forCertainty
		}
	}
	if err == nil {
		q.addCertainRaces()
	}
	return err
}

// tryModel is try with one model.
func (q *asking) tryModel(ctx context.Context, work limit.Work) error {
	limited, release, err := q.prepare(ctx, work)
	defer func() { release() }()
	turn := q.analysis.runner.turn
	if !turn.isForHarm() {
		q.passed = max(q.passed, work) // unless it is searched, see turn.asks
	}
	if err != nil || q.model == nil {
		return err
	}
	if !q.isSearched && !turn.isForHarm() {
		if err := q.search(ctx, limited); err != nil {
			return err
		}
	}
	if !q.isSearched {
		work /= 4
	}
	q.done = q.isSearched
	if !q.analysis.request.Harm || q.isSearched && q.hasNextOutline() {
		return nil
	}
	if (turn == forOutlines || turn == forVerdicts) && !q.answer.isHarmless() {
		q.done = false
		return nil
	}
	release() // what it has spent counts
	limited, release = q.analysis.runner.within(ctx, q.analysis.request, work)
	return q.findHarm(ctx, limited)
}

// prepare makes the model, when it is the query's turn. It returns the context of the try.
func (q *asking) prepare(ctx context.Context, work limit.Work) (limited context.Context, release func(), err error) {
	a := q.analysis
	begin := time.Now()
	a.turns.Lock()
	defer a.turns.Unlock()
	a.waited = time.Since(begin)
	limited, release = a.runner.within(ctx, a.request, work)
	if a.graph == nil || a.generation != a.runner.generation() { // forgotten, or used by a stage that was left alone
		err = a.analyse(limited)
	}
	if q.of != a.graph {
		q.model, q.harm, q.of = nil, nil, a.graph
	}
	var m model
	if err == nil && q.model == nil {
		m, err = a.model(limited, q.site, q.detail, q.refined)
	}
	q.tooLarge = errors.Is(err, lower.ErrTooLarge)
	switch late := new(limitError); {
	case errors.As(err, &late) && q.isModelled: // what was found in it before stays known
		err = nil
	case q.tooLarge || errors.As(err, &late):
		q.answer = a.unknown(q.site, err.Error())
		q.keepFirst()
		m.addSizes(&q.answer)
		q.done, err = q.tooLarge, nil
	case err == nil && q.model == nil:
		q.model, q.isModelled, q.assumed = &m, true, a.assumptions(m)
	}
	return limited, release, err
}

// search looks for violations in the model.
func (q *asking) search(ctx, limited context.Context) error {
	a := q.analysis
	found, err := run(limited, a.runner, "check", func(ctx context.Context) (QueryResult, error) {
		return q.asked().search(ctx, *q.model, q.site)
	})
	switch late := new(limitError); {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &late):
		found = a.unknown(q.site, err.Error())
	case err != nil:
		return err
	}
	found.Type, found.Fields, found.Entry = a.subject.Name(), a.subject.Fields, a.entry.Name
	found.Site, found.Sites = q.site.String(), q.site.Places
	q.model.addSizes(&found)
	found.Assumptions = append(found.Assumptions, q.assumed...)
	q.searches++
	isOpen := slices.ContainsFunc(found.Scenarios, func(s ScenarioResult) bool {
		return s.Verdict == VerdictUnknown && !isVague(s)
	})
	isVague := slices.ContainsFunc(found.Scenarios, isVague)
	reason, bound := "the search did not end", limit.Passed(limited)
	if bound == nil && found.IsCutOff {
		bound = a.runner.workBound()
	}
	if bound != nil {
		reason = (&limitError{bound, "check"}).Error()
		found.notDecided(reason)
	}
	if found.Verdict == VerdictUnknown && found.Reason == "" {
		found.Reason = reason
		for _, s := range found.Scenarios {
			if s.Verdict == VerdictUnknown && s.Reason != "" {
				found.Reason = s.Reason
				break
			}
		}
	}
	if bound == nil && a.request.All {
		if err := a.addAll(limited, q.model.lowered, &found); err != nil && ctx.Err() == nil {
			return err
		}
	}
	// What a model with less detail leaves open though it was searched is open in it for good.
	// For the rest it has another try, as proofs are cheap where there is less.
	q.isSearched = bound == nil || !isOpen || isVague && q.searches > 1
	found.keepHarm(q.answer)
	if q.first == nil { // what was not asked for is open; what was found in the model before, with more work, is not lost
		found.Scenarios = merged(q.answer.Scenarios, found.Scenarios)
		found.Verdict = found.ofScenarios()
	}
	q.answer, q.isNextKnown = found, false
	q.keepFirst()
	return nil
}

// findHarm says of each violation whether it does harm.
func (q *asking) findHarm(ctx, limited context.Context) error {
	a := q.analysis
	a.turns.Lock() // the program is added to
	defer a.turns.Unlock()
	a.runner.experiments.mu.Lock()
	defer a.runner.experiments.mu.Unlock()
	if q.harm == nil || q.harm.model != q.model {
		q.harm = a.newHarmSearch(q.model)
	}
	generation := a.runner.generation()
	answer := q.answer
	answer.Scenarios = slices.Clone(answer.Scenarios)
	found, err := run(limited, a.runner, "harm", func(ctx context.Context) (*QueryResult, error) {
		return &answer, a.addHarm(ctx, q.harm, &answer, *q.model)
	})
	if generation != a.runner.generation() {
		a.runner.experiments.all, q.harm = nil, nil
	}
	if found != nil {
		q.answer = *found
	}
	late := new(limitError)
	if errors.As(err, &late) || limit.Passed(limited) != nil {
		q.done, err = false, nil
		if found == nil {
			q.answer.harmUnknown(late.Error())
		}
	}
	if ctx.Err() != nil {
		q.done = false
		return ctx.Err()
	}
	return err
}

// keepHarm keeps the harm of violations that an earlier answer had already.
func (q *QueryResult) keepHarm(earlier QueryResult) {
	for i := range q.Scenarios {
		for _, s := range earlier.Scenarios {
			if s.ID != "" && s.ID == q.Scenarios[i].ID && s.Harm != nil && s.Harm.Status == HarmPossible {
				q.Scenarios[i].Harm = s.Harm
			}
		}
	}
}

// mayHarm tells whether there is something of which it can be said what harm it does.
func (q *QueryResult) mayHarm() bool {
	return len(q.Races) > 0 || slices.ContainsFunc(q.Scenarios, func(s ScenarioResult) bool {
		return s.Verdict == VerdictViolation
	})
}

// harmUnknown says why the harm of violations is not known.
func (q *QueryResult) harmUnknown(reason string) {
	for i := range q.Scenarios {
		if s := &q.Scenarios[i]; s.Verdict == VerdictViolation && s.Harm == nil {
			s.Harm = &Harm{Status: HarmUnknown, Reason: reason}
		}
	}
}

// notDecided says which limit has ended the search for the scenarios that are unknown.
func (q *QueryResult) notDecided(reason string) {
	for i := range q.Scenarios {
		if s := &q.Scenarios[i]; s.Verdict == VerdictUnknown && !isVague(*s) {
			s.Reason = reason
		}
	}
}
