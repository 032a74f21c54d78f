package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harm"
	"github.com/empire-go/empire-go/frontend/lower"
)

// racesOf returns the data races that were found in a model.
func racesOf(m *lower.Result, found *checker.Result) (all []Race) {
	d := describer{program: m.Program, source: m}
	for _, race := range found.Races {
		accesses := d.race(race)
		all = append(all, Race{Accesses: accesses, ID: raceID(m.Program.Name, accesses), Level: "warning"})
	}
	return all
}

// addRaces looks for runs that show the data races of a query.
func (a *analysis) addRaces(ctx context.Context, e experiment, subject *execute.Subject, q *QueryResult) {
	for i := range q.Races {
		if h := q.Races[i].Harm; h != nil && h.Status == HarmPossible { // it is known from an earlier try
			continue
		}
		a.race(ctx, e, subject, &q.Races[i], q.Races[:i])
	}
}

// race looks for a run in which two accesses race, or two others of the fields, if no race known does.
func (a *analysis) race(ctx context.Context, e experiment, subject *execute.Subject, r *Race, known []Race) {
	accesses := r.Accesses
	r.Harm = &Harm{Status: HarmUnknown}
	isKnown := func(text string) bool {
		return slices.ContainsFunc(known, func(k Race) bool { return k.Harm.Actual == text })
	}
	var other *harm.Finding // of other accesses
	tried, err := e.race(ctx, accesses, subject, func(f *harm.Finding) harm.Next {
		switch {
		case f.Race == nil:
			return harm.GoOn
		case a.isRaceOf(f.Race, accesses):
			r.Level, r.Harm = "error", possible(f)
			r.Harm.Expected, r.Harm.Actual = nil, a.raceText(f.Race)
			return harm.Enough
		case other == nil && !isKnown(a.raceText(f.Race)):
			other = f
		}
		return harm.Settle
	})
	switch {
	case r.Harm.Status == HarmPossible:
	case other != nil:
		r.Level, r.Harm = "error", possible(other)
		r.Harm.Expected, r.Harm.Actual = nil, a.raceText(other.Race)
	case err != nil:
		r.Harm.Reason = whyNoHarm(ctx, err)
	default:
		r.Harm.Reason = "no run was found in which the two race, " + tried
	}
}

// isRaceOf tells whether a race of a run is between accesses on the lines of these.
func (a *analysis) isRaceOf(r *execute.Race, accesses []Step) bool {
	at := func(i int) string {
		p := a.program.Position(r.Accesses[i].Pos())
		return fmt.Sprintf("%s:%d:", p.File, p.Line)
	}
	is := func(i int, s Step) bool { return len(s.Pos) > len(at(i)) && s.Pos[:len(at(i))] == at(i) }
	return is(0, accesses[0]) && is(1, accesses[1]) || is(0, accesses[1]) && is(1, accesses[0])
}

// raceText says which accesses race.
func (a *analysis) raceText(r *execute.Race) string {
	kinds := map[bool]string{true: "writes", false: "reads"}
	text := func(i int) string {
		at := r.Accesses[i]
		return fmt.Sprintf("%s %s at %s", at.Parent().Name(), kinds[r.IsWrite[i]], a.program.Position(at.Pos()))
	}
	return text(0) + " what " + text(1) + ", and nothing orders the two"
}
