package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/scenarios"
)

// The checker shows one violation of each scenario. There may be others: of other accesses of the same units, or of
// others. They are found by searches in which some accesses match nothing: a violation that is not known lacks an
// access of each known one, as all violations of a scenario have the same number of accesses. So it is enough
// to overlook each set that has an access of each known violation and no more than that (the hitting set tree of
// Reiter, A theory of diagnosis from first principles, Artificial Intelligence 32, 1987). Where one statement stands
// for two of the accesses, as in a loop, a violation may have all that another one has: then it is not known whether
// these are all.

const (
	maxEverySearches = 400        // of a query
	maxEverySets     = 20_000     // of accesses, of a scenario
	everyWork        = 20_000_000 // states and transitions of these searches
)

// unitEvent is an access of one of the two units of a violation.
type unitEvent struct {
	of scenarios.Unit
	at esl.Place
}

// every looks for all violations of a query.
type every struct {
	analysis *analysis
	model    *lower.Result
	searches int // that may still be made
	work     int // that they may do
}

// addAll adds all violations to an answer.
func (a *analysis) addAll(ctx context.Context, m *lower.Result, q *QueryResult) error {
	model := *m
	model.Program = withoutNotes(m)
	e := &every{a, &model, maxEverySearches, everyWork}
	q.AllKnown = true
	isCycle := func(s scenarios.Scenario) bool { return s.Number == scenarios.ConflictCycle }
	for i, s := range a.request.Scenarios {
		switch {
		case q.Scenarios[i].Verdict == VerdictUnknown:
			q.AllKnown = false
		case q.Scenarios[i].Verdict == VerdictSafe && !(isCycle(s) && q.Verdict == VerdictViolation):
			continue // of cycles, those between units that another scenario is about are not told
		}
		found, known, err := e.of(ctx, s)
		if err != nil {
			return err
		}
		q.All, q.AllKnown = append(q.All, found...), q.AllKnown && known
	}
	return nil
}

// of finds the violations of a scenario, and tells whether these are all.
func (e *every) of(ctx context.Context, s scenarios.Scenario) (all []ScenarioResult, known bool, err error) {
	var shown [][]unitEvent // of each violation, its accesses
	var none [][]unitEvent  // without these there is none
	seen := map[string]bool{}
	known = true
	for work := [][]unitEvent{nil}; len(work) > 0; work = work[1:] {
		without := work[0]
		if slices.ContainsFunc(none, func(less []unitEvent) bool { return isPartOf(less, without) }) {
			continue
		}
		i := slices.IndexFunc(shown, func(v []unitEvent) bool { return !meet(v, without) })
		if i < 0 {
			if e.searches--; e.searches < 0 || e.work <= 0 || len(seen) > maxEverySets {
				return all, false, nil
			}
			v, told, err := e.search(ctx, s, without)
			switch {
			case err != nil || told == nil:
				return all, false, err
			case v == nil && told.Verdict == VerdictUnknown:
				return all, false, nil
			case v == nil:
				none = append(none, without)
				continue
			}
			if told.Level == "error" {
				all = append(all, *told)
			}
			i = len(shown)
			shown = append(shown, eventsOf(v))
			known = known && len(shown[i]) == len(v.Matched)
		}
		for _, more := range shown[i] {
			next := append(slices.Clone(without), more)
			slices.SortFunc(next, compareEvents)
			if key := fmt.Sprint(next); !seen[key] {
				seen[key] = true
				work = append(work, next)
			}
		}
	}
	return all, known, nil
}

// search looks for a violation while some accesses match nothing. Nothing is told when the limits have run out.
func (e *every) search(ctx context.Context, s scenarios.Scenario, without []unitEvent) (*checker.Violation,
	*ScenarioResult, error) {
	wanted := s
	if s.Number == scenarios.ConflictCycle {
		wanted.Number = cyclesToo
	}
	o := checker.Options{Scenarios: []scenarios.Scenario{wanted}, NoRaces: true,
		Overlooked: func(of scenarios.Unit, at esl.Place) bool {
			return slices.Contains(without, unitEvent{of, at})
		}}
	found, q, err := e.analysis.foundIn(ctx, e.model, o, &e.work)
	if q == nil {
		return nil, nil, err
	}
	told := &q.Scenarios[0]
	told.Scenario = s.Number
	if v, ok := found.Findings[0].Verdict.(checker.Violation); ok {
		return &v, told, nil
	}
	return nil, told, nil
}

// cyclesToo is the number of a scenario of all conflict cycles, those included that are between units which another
// scenario is about.
const cyclesToo = scenarios.ConflictCycle + 1

// eventsOf are the accesses that show a violation.
func eventsOf(v *checker.Violation) (all []unitEvent) {
	for i, e := range v.Pattern.Events {
		s := v.Steps[v.Matched[i]]
		all = append(all, unitEvent{e.Unit, esl.Place{Function: s.Function, Index: s.Index}})
	}
	slices.SortFunc(all, compareEvents)
	return slices.Compact(all)
}

func compareEvents(a, b unitEvent) int {
	return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.at.Function, b.at.Function), cmp.Compare(a.at.Index, b.at.Index))
}

func meet(some, others []unitEvent) bool {
	return slices.ContainsFunc(some, func(e unitEvent) bool { return slices.Contains(others, e) })
}

func isPartOf(some, of []unitEvent) bool {
	return !slices.ContainsFunc(some, func(e unitEvent) bool { return !slices.Contains(of, e) })
}
