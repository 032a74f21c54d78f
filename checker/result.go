package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// result puts the outcomes together.
func (c *check) result(outcomes []outcome, races []raceOutcome) *Result {
	return c.resultBeside(outcomes, races, explainedUnits(outcomes))
}

// resultBeside is result where it is known between which units a conflict cycle is
// explained.
func (c *check) resultBeside(outcomes []outcome, races []raceOutcome, explained map[unitPair]bool) *Result {
	r := &Result{}
	r.Races, r.RaceKnown = c.racesIn(races)
	if len(r.Races) > 0 {
		r.DataRace = r.Races[0]
	}
	r.RaceOpen = c.racesOpen(races)
	for _, s := range c.options.Scenarios {
		verdict := c.verdict(s, outcomes, explained)
		if s.Number == scenarios.DataRaces.Number {
			verdict = c.whetherRace(races, r.RaceKnown)
		}
		r.Findings = append(r.Findings, Finding{s, verdict})
	}
	for i, f := range r.Findings {
		if v, ok := f.Verdict.(Violation); ok {
			v.DataRace = inRace(v, races)
			r.Findings[i].Verdict = v
		}
	}
	for _, o := range outcomes {
		r.Work = r.Work.plus(o.work)
	}
	for _, o := range races {
		r.Work = r.Work.plus(o.work)
	}
	return r
}

// whetherRace is the verdict on whether there is a data race: it is safe to say so, or not.
func (c *check) whetherRace(races []raceOutcome, isKnown bool) Verdict {
	if isKnown {
		return Safe{"two accesses"}
	}
	var open []string
	for _, o := range races {
		if o.status == Undecided && o.reason != "" {
			open = append(open, o.reason)
		}
	}
	if len(open) == 0 {
		open = append(open, stopped(c.ctx.Err()))
	}
	return Unknown{reason(open)}
}

// verdict returns the verdict on one scenario.
func (c *check) verdict(s scenarios.Scenario, outcomes []outcome, explained map[unitPair]bool) Verdict {
	if slices.Contains(c.proved, s.Number) {
		return Safe{"sketch"}
	}
	var best *outcome
	var undecided []string
	var by []string
	for i := range outcomes {
		o := &outcomes[i]
		if o.scenario != s.Number || s.Number == scenarios.ConflictCycle && !c.options.AllCycles && explained[unitsOf(o)] {
			continue
		}
		switch {
		case o.status == Undecided:
			undecided = append(undecided, o.reason)
		case o.status == Empty:
			by = append(by, o.by)
		case best == nil || c.isBetter(o, best):
			best = o
		}
	}
	if c.isFound(s) && best == nil { // the guesses after it were not asked about the scenario
		undecided = append(undecided, "a violation was lost")
	}
	if c.skipped[s.Number] {
		undecided = append(undecided, stopped(c.ctx.Err()))
	}
	switch {
	case best != nil && s.Number == scenarios.ConflictCycle && c.mayBeExplained(unitsOf(best), outcomes):
		return Unknown{"it is not decided whether another scenario is about the same units"}
	case best != nil:
		return *best.violation
	case len(undecided) > 0:
		return Unknown{reason(undecided)}
	case len(by) == 0:
		return Safe{"no two units make the accesses"}
	}
	slices.Sort(by)
	return Safe{c.by(strings.Join(slices.DeleteFunc(slices.Compact(by), func(s string) bool { return s == "" }), ", "))}
}

// isBetter tells whether a violation is told rather than another one.
func (c *check) isBetter(o, than *outcome) bool {
	sure, known := c.options.isSure(o.violation.Steps), c.options.isSure(than.violation.Steps)
	return sure && !known || sure == known && o.length < than.length
}

// mayBeExplained tells whether it is open if one of scenarios 1 to 11 is violated for two units.
func (c *check) mayBeExplained(units unitPair, outcomes []outcome) bool {
	if c.options.AllCycles {
		return false
	}
	for number := range c.skipped {
		if number != scenarios.ConflictCycle {
			return true
		}
	}
	return slices.ContainsFunc(outcomes, func(o outcome) bool {
		return o.scenario != scenarios.ConflictCycle && o.status == Undecided && unitsOf(&o) == units
	})
}

// reason sums up why guesses are undecided. A counterexample that did not replay
// comes first.
func reason(reasons []string) string {
	first := reasons[0]
	if i := slices.IndexFunc(reasons, func(r string) bool { return strings.HasPrefix(r, notReplayed) }); i >= 0 {
		first = reasons[i]
	}
	if len(reasons) == 1 {
		return first
	}
	return fmt.Sprintf("%s (and %d more guesses undecided)", first, len(reasons)-1)
}

// unitPair is two units in either order.
type unitPair struct{ a, b esl.UnitName }

func unitsOf(o *outcome) unitPair { return unitsOfGuess(o.guess) }

func unitsOfGuess(g cpds.Guess) unitPair { return newUnitPair(g.UnitU(), g.UnitV()) }

func newUnitPair(a, b esl.UnitName) unitPair {
	if cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(a.Label, b.Label)) > 0 {
		a, b = b, a
	}
	return unitPair{a, b}
}

// explainedUnits returns the pairs of units for which one of scenarios 1 to 11 is
// violated.
func explainedUnits(outcomes []outcome) map[unitPair]bool {
	explained := map[unitPair]bool{}
	for i := range outcomes {
		if o := &outcomes[i]; o.violation != nil && o.scenario != scenarios.ConflictCycle {
			explained[unitsOf(o)] = true
		}
	}
	return explained
}

// inRace tells whether one of the locations of a violation is in a data race
// between its two processes.
func inRace(v Violation, races []raceOutcome) bool {
	for _, o := range races {
		if o.race == nil || !slices.Contains(v.Locations, o.race.Location) {
			continue
		}
		a, b := o.race.A.Process, o.race.B.Process
		if a == v.U.Process && b == v.V.Process || a == v.V.Process && b == v.U.Process {
			return true
		}
	}
	return false
}

// max returns the work of one call from that of its answers so far.
func (w Work) max(v Work) Work {
	return Work{max(w.States, v.States), max(w.Transitions, v.Transitions), max(w.Rounds, v.Rounds)}
}

// plus adds up work.
func (w Work) plus(v Work) Work {
	return Work{w.States + v.States, w.Transitions + v.Transitions, w.Rounds + v.Rounds}
}
