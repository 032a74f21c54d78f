package checker

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/checker/directed"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Before the engine is asked, violations and races are looked for by runs that go to the accesses straight away: see
// package directed. That costs little, whatever the size of the program, and finds most of what there is; the engine is
// left with what has to be proved, and looks for shorter runs.

// directly names what has found them.
const directly = "directed"

// Such runs may take a part of the work that is left, and no more than so much: they may look for what is not there.
const (
	directShare = 8
	maxDirect   = 10 * limit.Second
)

// direct looks for violations under the guesses, each of which has those found. Where only a shortest violation
// matters, there is one of each scenario.
func (c *check) direct(guesses []cpds.Guess, wanted []scenarios.Scenario) map[cpds.Guess][]outcome {
	all := map[cpds.Guess][]outcome{}
	c.searchDirectly(len(guesses), func(ctx context.Context, search *directed.Search, i int) {
		c.directlyIn(ctx, search, guesses[i], wanted, all)
	})
	return all
}

// searchDirectly calls visit for each of n guesses: with a search that avoids what is to be avoided, then with one of
// all.
func (c *check) searchDirectly(n int, visit func(ctx context.Context, search *directed.Search, i int)) {
	if c.options.AskAll || n == 0 || c.model.Program.HasBlocking() {
		return
	}
	ctx, stop := limit.Part(c.ctx, directShare)
	defer stop()
	ctx, meter := limit.WithWork(ctx, maxDirect, limit.ErrWork)
	defer meter.Stop()
	kinds := []func(esl.Place) bool{c.options.Avoid, nil}
	if c.options.Avoid == nil {
		kinds = kinds[1:]
	}
	for _, avoid := range kinds {
		search := directed.New(ctx, c.model.Program, c.options.Overlooked, avoid)
		for i := 0; i < n && ctx.Err() == nil; i++ {
			visit(ctx, search, i)
		}
	}
}

// directlyIn adds what one search finds under a guess.
func (c *check) directlyIn(ctx context.Context, search *directed.Search, g cpds.Guess, wanted []scenarios.Scenario,
	all map[cpds.Guess][]outcome) {
	units := [2]directed.Unit{{Instance: g.U, UnitName: g.UnitU()}, {Instance: g.V, UnitName: g.UnitV()}}
	c.model.Patterns(g, c.without(wanted), func(scenario int, p scenarios.Pattern) bool {
		// Conflict cycles are told only where it is known that nothing else explains the same units.
		if scenario == scenarios.ConflictCycle || hasFound(all[g], scenario) {
			return true
		}
		if steps, matched, ok := search.Pattern(p, units, [2]int{g.L1, g.L2}); ok {
			if v := c.accepted(g, p, steps, matched); v != nil {
				all[g] = append(all[g], outcome{scenario: scenario, guess: g, status: Common, by: directly,
					length: len(steps), violation: v})
			}
		}
		return ctx.Err() == nil
	})
	c.noteShortest(all[g])
}

// directRaces looks for data races under the guesses.
func (c *check) directRaces(guesses []cpds.RaceGuess) map[cpds.RaceGuess]raceOutcome {
	all := map[cpds.RaceGuess]raceOutcome{}
	c.searchDirectly(len(guesses), func(_ context.Context, search *directed.Search, i int) {
		g := guesses[i]
		if _, known := all[g]; known {
			return
		}
		if steps, at, ok := search.Race(g.A, g.B, g.Location); ok && c.races(g, at[0], at[1]) {
			all[g] = raceOutcome{guess: g, status: Common, length: len(steps),
				race: &Race{g.Location, g.A, g.B, steps, at}}
		}
	})
	return all
}

// accepted returns the violation of a run, if the interpreter accepts it.
func (c *check) accepted(g cpds.Guess, p scenarios.Pattern, steps []esl.Step, matched []int) *Violation {
	v := &Violation{
		Pattern: p, U: UnitInstance{g.U, 0, g.LabelU}, V: UnitInstance{g.V, g.ObjectV, g.LabelV}, Locations: []int{g.L1},
		Steps: steps, Matched: matched, By: directly,
	}
	if p.Locations() == 2 {
		v.Locations = append(v.Locations, g.L2)
	}
	o, err := interp.Occurs(c.ctx, c.model.Program, steps, p, g.U, g.V, g.ObjectV, v.Locations, matched)
	if err != nil || o.U.Label != g.LabelU || o.V.Label != g.LabelV {
		return nil
	}
	return v
}

// hasFound tells whether there is a violation of a scenario among the outcomes.
func hasFound(all []outcome, scenario int) bool {
	return slices.ContainsFunc(all, func(o outcome) bool { return o.scenario == scenario && o.violation != nil })
}
