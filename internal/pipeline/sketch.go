package pipeline

import (
	"context"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/simplify"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Most of a large model is functions that only lead to others: the code of clients, and what starts goroutines. In the
// sketch of it they are a few loops (simplify.Sketch). What is safe there is safe, and asking costs little: the engine
// is asked about the model where there is no violation by a directed run, and no proof in the sketch.

// sketchedFrom is from how many functions on a model has a sketch.
const sketchedFrom = 40

// The sketch may take a part of the work that is left, and no more than so much.
const (
	sketchShare = 2
	maxSketch   = 20 * limit.Second
)

// proofsBySketch returns what looks for proofs in the sketch of a program (see checker.Options.Prove), with the options
// of the check of the program; nil if it has none.
func proofsBySketch(p *esl.Program, o checker.Options) func(context.Context, []scenarios.Scenario) []int {
	if len(p.Functions) < sketchedFrom || o.Overlooked != nil {
		return nil
	}
	// What is found there is no answer.
	o.Avoid, o.NoRaces, o.AnyRun = nil, true, true
	o.AllCycles = true // what is broken in the sketch only explains none of the program's
	return func(ctx context.Context, open []scenarios.Scenario) (safe []int) {
		ctx, stop := limit.Part(ctx, sketchShare)
		defer stop()
		ctx, meter := limit.WithWork(ctx, maxSketch, limit.ErrWork)
		defer meter.Stop()
		sketch, _, err := simplify.Program(ctx, simplify.Sketch(p), func(int) string { return "" })
		if err != nil {
			return nil
		}
		o := o
		o.Scenarios = open
		found, err := checker.Check(ctx, sketch, o)
		if err != nil {
			return nil
		}
		for _, f := range found.Findings {
			if _, isSafe := f.Verdict.(checker.Safe); isSafe {
				safe = append(safe, f.Scenario.Number)
			}
		}
		return safe
	}
}
