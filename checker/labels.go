package checker

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Which two functions the units of work are makes no difference to scenarios 1 to
// 11, but for increments that commute. So the program is checked first with one
// label for all units: a guess of two goroutines and their locations stands for all
// pairs of units, of which there can be hundreds. What is safe then is safe. A
// violation is told with the labels of the run that shows it. Only what is left is
// searched again with labels: conflict cycles, which are reported only between
// units that nothing else explains, and runs whose increments commute.

// mergeLabels returns the program with one label for all units on an object; ok is
// false if that is so already.
func mergeLabels(p *esl.Program) (merged *esl.Program, ok bool) {
	labels := map[esl.UnitName]bool{}
	merged = p.Rewritten(func(_ esl.Place, s esl.Stmt) esl.Stmt {
		if s.Op == esl.UnitBegin {
			labels[esl.UnitName{Object: s.Arg, Label: s.Unit}] = true
			s.Unit = anyLabel
		}
		return s
	})
	return merged, len(labels) > len(p.Objects)
}

// anyLabel is the label of all units of a merged program.
const anyLabel = "unit"

// checkMerged is Check by way of the merged program.
func checkMerged(ctx context.Context, p, merged *esl.Program, s *survey, o Options) (*Result, error) {
	c, err := newCheck(ctx, merged, o)
	if err != nil {
		return nil, err
	}
	if c.model == nil {
		return c.result(nil, make([]raceOutcome, 1)), nil
	}
	c.onlyShortest = true
	outcomes, races := c.searchFor(o.Scenarios, s.leaves, s.raceGuesses(c.model.RaceGuesses()))
	r := c.resultBeside(outcomes, races, nil)
	var open []scenarios.Scenario
	explained := map[unitPair]bool{}
	for i, f := range r.Findings {
		v, ok := f.Verdict.(Violation)
		switch {
		case ok:
			labelled, err := labels(ctx, p, v)
			if err == nil && f.Scenario.Number != scenarios.ConflictCycle {
				r.Findings[i].Verdict = labelled
				explained[pairOf(labelled)] = true
				continue
			}
		case isSafe(f.Verdict), f.Scenario.Number == scenarios.DataRaces.Number: // labels make no difference
			continue
		}
		open = append(open, f.Scenario)
	}
	if isAmong(open, scenarios.ConflictCycle) {
		c.explainMerged(p, outcomes, explained)
	}
	if len(open) == 0 || ctx.Err() != nil {
		for i, f := range r.Findings {
			if isAmong(open, f.Scenario.Number) {
				r.Findings[i].Verdict = Unknown{stopped(ctx.Err())}
			}
		}
		return r, nil
	}
	return r, c.again(p, open, explained, races, r)
}

// explainMerged adds the pairs of units between which something else than a conflict cycle
// was found.
func (c *check) explainMerged(p *esl.Program, outcomes []outcome, explained map[unitPair]bool) {
	for i := range outcomes {
		o := &outcomes[i]
		if o.violation == nil || o.scenario == scenarios.ConflictCycle {
			continue
		}
		if v, err := labels(c.ctx, p, *o.violation); err == nil {
			explained[pairOf(v)] = true
		}
	}
}

func isSafe(v Verdict) bool {
	_, ok := v.(Safe)
	return ok
}

// pairOf returns the units of a violation.
func pairOf(v Violation) unitPair {
	return newUnitPair(esl.UnitName{Object: v.U.Object, Label: v.U.Label},
		esl.UnitName{Object: v.V.Object, Label: v.V.Label})
}

// labels returns a violation of the merged program as one of the program itself, if
// it is one.
func labels(ctx context.Context, p *esl.Program, v Violation) (Violation, error) {
	ctx = context.WithoutCancel(limit.Free(ctx)) // it costs little, and what is found is not to be lost
	found, err := interp.Occurs(ctx, p, v.Steps, v.Pattern, v.U.Instance, v.V.Instance, v.V.Object, v.Locations, v.Matched)
	if err != nil {
		return v, err
	}
	v.U.Label, v.V.Label = found.U.Label, found.V.Label
	return v, nil
}

// again searches for the open scenarios with the labels of the program, and writes
// what it finds into the result. The units of some pairs are explained already.
func (c *check) again(p *esl.Program, open []scenarios.Scenario, explained map[unitPair]bool, races []raceOutcome,
	r *Result) error {
	fine, err := newCheck(c.ctx, p, Options{Scenarios: open, Engine: c.options.Engine, Limits: c.options.Limits,
		Safe: c.options.Safe, AllCycles: c.options.AllCycles, Overlooked: c.options.Overlooked, Avoid: c.options.Avoid})
	if err != nil {
		return err
	}
	var outcomes []outcome
	if fine.model != nil {
		if len(open) == 1 && open[0].Number == scenarios.ConflictCycle {
			outcomes = fine.searchCycles(open, explained)
		} else {
			outcomes, _ = fine.searchFor(open, func(cpds.Guess) bool { return true }, nil)
		}
		outcomes = append(outcomes, fine.explain(outcomes, explained)...)
	}
	for pair := range explainedUnits(outcomes) {
		explained[pair] = true
	}
	for i, f := range r.Findings {
		if !isAmong(open, f.Scenario.Number) {
			continue
		}
		r.Findings[i].Verdict = fine.verdict(f.Scenario, outcomes, explained)
		if v, ok := r.Findings[i].Verdict.(Violation); ok {
			v.DataRace = inRace(v, races)
			r.Findings[i].Verdict = v
		}
	}
	for _, o := range outcomes {
		r.Work = r.Work.plus(o.work)
	}
	return nil
}

// searchCycles searches for conflict cycles between units that nothing else explains, and
// along with them for what does: after that no more guesses about the two units are
// asked about. So the first guesses about each two come before all second ones.
func (c *check) searchCycles(cycles []scenarios.Scenario, explained map[unitPair]bool) []outcome {
	guesses, err := c.model.GuessesContext(c.ctx, cycles)
	if err != nil {
		c.skipAll()
		return nil
	}
	rank, order := map[unitPair]int{}, make([][2]int, len(guesses))
	for i, g := range guesses {
		order[i] = [2]int{rank[unitsOfGuess(g)], i}
		rank[unitsOfGuess(g)]++
	}
	slices.SortFunc(order, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	known := maps.Clone(explained)
	outcomes := make([][]outcome, len(guesses))
	inWaves(c, len(order), func(c *check, i int) []outcome {
		if g := guesses[order[i][1]]; c.options.AllCycles || !known[unitsOfGuess(g)] {
			return c.guess(g, c.options.searched(cycles))
		}
		return []outcome{}
	}, func(wave []int, found [][]outcome) {
		for k, i := range wave {
			outcomes[order[i][1]] = found[k]
			maps.Copy(known, explainedUnits(found[k]))
		}
	})
	c.skip(guesses, outcomes, cycles)
	return slices.Concat(outcomes...)
}

// explain asks about scenarios 1 to 11 for the pairs of units that have a conflict
// cycle and are not explained yet.
func (c *check) explain(outcomes []outcome, explained map[unitPair]bool) []outcome {
	if c.options.AllCycles {
		return nil
	}
	known := explainedUnits(outcomes)
	cycles := map[unitPair]bool{}
	for i := range outcomes {
		if o := &outcomes[i]; o.violation != nil && o.scenario == scenarios.ConflictCycle && !explained[unitsOf(o)] &&
			!known[unitsOf(o)] {
			cycles[unitsOf(o)] = true
		}
	}
	if len(cycles) == 0 {
		return nil
	}
	explaining := []scenarios.Scenario{c.options.explaining()}
	more, _ := c.searchFor(explaining, func(g cpds.Guess) bool { return cycles[unitsOfGuess(g)] }, nil)
	return more
}
