package pipeline

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
)

// Where nothing is named, it is asked about data races of all that goroutines share beside atomic sets, with a part of
// the budget. Told is only what a run shows, and that no other answer has: what is open changes no verdict.

// racesShare is the part of the budget for that.
const racesShare = 16

// racesBeside is what is asked about data races beside atomic sets.
type racesBeside struct {
	stages *runner
	part   *budget
}

// reserveForRaces takes the part of the budget for data races away from the rest.
func reserveForRaces(stages *runner) *racesBeside {
	if stages.budget == nil {
		return nil
	}
	work := stages.budget.left / racesShare
	stages.budget.left -= work
	return &racesBeside{stages, &budget{whole: work, left: work, isWidened: true}}
}

// add adds the data races that runs show to a result.
func (b *racesBeside) add(ctx context.Context, r Request, program *load.Program, all []harness.Entry,
	result *Result) error {
	if b == nil || ctx.Err() != nil {
		return nil
	}
	rest, undo := b.stages.budget, b.stages.kept.aside() // they are the same again with as much work
	b.stages.budget = b.part
	defer func() {
		rest.left += b.part.left
		b.stages.budget = rest
		undo()
	}()
	asks, found := r.aboutRaces(), &Result{}
	asks.Observe = func(e Event) {
		if e.Phase != nil && r.Observe != nil {
			r.Observe(e)
		}
	}
	programs := func(Request) ([]harness.Entry, error) { return all, nil }
	if err := runRaces(ctx, asks, program, b.stages, found, programs); err != nil {
		return err
	}
	for _, q := range found.Queries {
		q.Races = slices.DeleteFunc(q.Races, func(race Race) bool {
			return race.Level != "error" || race.Harm == nil || race.Harm.Status == HarmUnknown || isToldOf(race, result)
		})
		if q.Verdict == VerdictViolation && len(q.Races) > 0 {
			q.Race, q.Open = q.Races[0].Accesses, nil
			r.answered(result, q)
		}
	}
	return nil
}

// isToldOf tells whether an answer of the result has a data race between accesses on the same lines.
func isToldOf(race Race, result *Result) bool {
	return slices.ContainsFunc(result.Queries, func(q QueryResult) bool {
		return slices.ContainsFunc(q.Races, func(known Race) bool { return isSameRace(known.Accesses, race.Accesses) })
	})
}
