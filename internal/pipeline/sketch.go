package pipeline

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/simplify"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Most of a large model is functions that only lead to others: the code of clients, and what starts goroutines. In the
// sketch of it they are a few loops (simplify.Sketch). What is safe there is safe, and asking costs little; the model
// is asked about what is left.

// sketchedFrom is from how many functions on a model has a sketch.
const sketchedFrom = 40

// sketchShare is which part of the work that is left the sketch may take.
const sketchShare = 4

// checkedWithSketch is checker.Check where the sketch of a large model is asked first.
func checkedWithSketch(ctx context.Context, p *esl.Program, o checker.Options) (*checker.Result, error) {
	if len(p.Functions) < sketchedFrom || o.Overlooked != nil {
		return checker.Check(ctx, p, o)
	}
	sketch, err := checkedInSketch(ctx, p, o)
	if err != nil {
		return nil, err
	}
	left := o
	left.NoRaces = o.NoRaces || isRaceFree(sketch)
	left.Scenarios = slices.DeleteFunc(slices.Clone(o.Scenarios), func(s scenarios.Scenario) bool {
		return isSafeIn(sketch, s)
	})
	found := &checker.Result{RaceKnown: true}
	if len(left.Scenarios) > 0 || !left.NoRaces {
		if found, err = checker.Check(ctx, p, left); err != nil {
			return nil, err
		}
	}
	found.RaceKnown = found.RaceKnown || isRaceFree(sketch)
	for i, f := range sketch.Findings {
		if isSafeIn(sketch, f.Scenario) {
			found.Findings = slices.Insert(found.Findings, i, f)
		}
	}
	return found, nil
}

// checkedInSketch asks the sketch. An answer counts where that is safe.
func checkedInSketch(ctx context.Context, p *esl.Program, o checker.Options) (*checker.Result, error) {
	left, isLimited := limit.Left(ctx)
	if !isLimited {
		left = limit.Unlimited
	}
	within, meter := limit.WithWork(ctx, left/sketchShare, limit.ErrWork)
	defer meter.Stop()
	sketch, _, err := simplify.Program(within, simplify.Sketch(p), func(int) string { return "" })
	var found *checker.Result
	if err == nil {
		found, err = checker.Check(within, sketch, o)
	}
	if err != nil && within.Err() != nil {
		return &checker.Result{}, ctx.Err()
	}
	return found, err
}

// isRaceFree tells whether the sketch has no data race.
func isRaceFree(sketch *checker.Result) bool { return sketch.RaceKnown && sketch.DataRace == nil }

// isSafeIn tells whether the sketch shows that a scenario is safe. Conflict cycles are told only of units that no other
// scenario is about: what the sketch says about cycles counts where it is asked about all others, and breaks none.
func isSafeIn(sketch *checker.Result, s scenarios.Scenario) bool {
	isCycle := s.Number == scenarios.ConflictCycle
	if len(sketch.Findings) == 0 || isCycle && len(sketch.Findings) < len(scenarios.Table) {
		return false
	}
	return !slices.ContainsFunc(sketch.Findings, func(f checker.Finding) bool {
		_, isSafe := f.Verdict.(checker.Safe)
		return !isSafe && (isCycle || f.Scenario.Number == s.Number)
	})
}
