package pipeline

import (
	"context"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/limit"
)

// search looks for violations of the scenarios in a model.
func (a *analysis) search(ctx context.Context, m model, site query.Site) (QueryResult, error) {
	m.lowered.Program.Name = a.queryName(site)
	lenient := *m.lowered
	if !a.request.asksAboutRaces() {
		lenient.Program, _ = notes.WithoutRemovals(m.lowered.Program, m.lowered.Removals)
	}
	key := a.runner.kept.modelKey(a.request, m.lowered.Program, lenient.Program)
	// Where there is not as much work as it took, it is searched as far as that goes.
	if safe := a.runner.kept.safeModel(key); safe != nil && limit.Pay(ctx, safe.Spent) == nil {
		a.runner.kept.hit()
		q := safe.Answer
		q.RestsOn, q.SwitchedOff = ruleNames(m.lowered.Rules.Used()), ruleNames(m.lowered.Rules.SwitchedOff())
		return q, nil
	}
	ctx, meter := limit.WithWork(ctx, limit.Unlimited, limit.ErrWork)
	defer meter.Stop()
	most, end := most(ctx)
	found, loose, err := checked(most, lenient.Program, m.lowered, checker.Options{
		Scenarios: a.request.Scenarios, Safe: a.safe,
		Engine: a.runner.engine(a.request.Engine),
	})
	isCutOff := most.Err() != nil
	end()
	if err != nil {
		return QueryResult{}, err
	}
	q := Describe(lenient.Program, &lenient, found)
	q.IsCutOff = isCutOff
	for i := range q.Scenarios {
		q.Scenarios[i].Loose = loose[q.Scenarios[i].Scenario]
	}
	if a.request.Harm || a.request.asksAboutRaces() {
		q.Races = racesOf(&lenient, found)
	}
	err = a.noteLevels(ctx, &q, found, &lenient, m.lowered)
	if err == nil && ctx.Err() == nil && !isCutOff {
		a.runner.kept.keepSafeModel(key, q, meter.Spent())
	}
	for _, rule := range []*rules.Rule{rules.Keys, rules.Shards} {
		isOfOneMap := rule == rules.Keys && (!found.RaceKnown || found.DataRace != nil || a.request.asksAboutRaces())
		if err != nil || q.Verdict == VerdictSafe || isOfOneMap {
			continue
		}
		var keyed QueryResult
		if keyed, err = a.searchKeyed(ctx, rule, m, site); keyed.Verdict == VerdictSafe {
			return keyed, err
		}
	}
	q.RestsOn, q.SwitchedOff = ruleNames(m.lowered.Rules.Used()), ruleNames(m.lowered.Rules.SwitchedOff())
	return q, err
}

// most returns a context for most of the work that is left: the rest is for what has to be done with what is found.
func most(ctx context.Context) (context.Context, func()) {
	left, isLimited := limit.Left(ctx)
	if !isLimited {
		return ctx, func() {}
	}
	ctx, meter := limit.WithWork(ctx, left-left/8, limit.ErrWork)
	return ctx, meter.Stop
}

// ruleNames returns the names of the rules.
func ruleNames(all []*rules.Rule) (names []string) {
	for _, r := range all {
		names = append(names, r.Name)
	}
	return names
}
