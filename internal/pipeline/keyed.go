package pipeline

import (
	"context"
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/scenarios"
)

// searchKeyed searches a model again in which the entries of maps are told apart by their keys, or,
// by the other rule, the elements of arrays by their indices.
// Where a map is one location and something is violated, that may be an alarm about two entries. The
// answer counts only if it is that nothing at all is violated: two units that cannot be put in any
// order on single entries violate some scenario there, though it may be another one, of two
// locations. (And only without data races: two goroutines may not write two entries of one map at
// once, either.)
func (a *analysis) searchKeyed(ctx context.Context, rule *rules.Rule, m model, site query.Site) (QueryResult, error) {
	a.turns.Lock()
	m, err := a.renewed(ctx, m, site)
	var lowered *lower.Result
	if err == nil {
		lowered, err = run(ctx, a.runner, "lower", func(ctx context.Context) (*lower.Result, error) {
			config := a.lowering(m)
			config.Keyed = rule
			full, err := lower.Lower(ctx, config)
			if err != nil {
				return nil, err
			}
			return simplified(ctx, full)
		})
	}
	a.turns.Unlock()
	if err != nil {
		limit := new(limitError)
		if errors.Is(err, lower.ErrNoKeys) || errors.Is(err, lower.ErrTooLarge) || errors.As(err, &limit) {
			err = nil // the first answer stays
		}
		return QueryResult{}, err
	}
	lowered.Program.Name = m.lowered.Program.Name
	all := *a
	lenient := *lowered
	if !a.request.asksAboutRaces() {
		all.request.Scenarios = scenarios.Table
		lenient.Program, _ = notes.WithoutRemovals(lowered.Program, lowered.Removals)
	}
	found, _, err := checked(ctx, lenient.Program, lowered,
		checker.Options{Scenarios: all.request.Scenarios, Engine: a.runner.engine(a.request.Engine)})
	if err != nil {
		return QueryResult{}, err
	}
	q := Describe(lenient.Program, &lenient, found)
	if err := all.noteLevels(ctx, &q, found, &lenient, lowered); err != nil || q.Verdict != VerdictSafe {
		return QueryResult{}, err
	}
	lowered.Rules.Use(rule, true)
	q.Scenarios = slices.DeleteFunc(q.Scenarios, func(s ScenarioResult) bool {
		return !slices.ContainsFunc(a.request.Scenarios, func(wanted scenarios.Scenario) bool {
			return wanted.Number == s.Scenario
		})
	})
	q.RestsOn, q.SwitchedOff = ruleNames(lowered.Rules.Used()), ruleNames(lowered.Rules.SwitchedOff())
	return q, nil
}
