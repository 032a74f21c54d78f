package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harm"
)

// addRaces adds the data races of a query, each with a run that shows it if one is found.
func (a *analysis) addRaces(ctx context.Context, e experiment, subject *execute.Subject, q *QueryResult, m model) {
	for _, accesses := range q.races {
		race := a.race(ctx, e, subject, accesses, q.Races)
		if m.lowered != nil {
			race.ID = describer{program: m.lowered.Program}.raceID(accesses)
		}
		q.Races = append(q.Races, race)
	}
}

// race looks for a run in which two accesses race, or two others of the fields, if no race known does.
func (a *analysis) race(ctx context.Context, e experiment, subject *execute.Subject, accesses []Step, known []Race) Race {
	r := Race{Accesses: accesses, Level: "warning", Harm: &Harm{Status: HarmUnknown}}
	var other *harm.Finding // of other accesses
	tried, err := e.race(ctx, accesses, subject, func(f *harm.Finding) harm.Next {
		switch {
		case f.Race == nil:
			return harm.GoOn
		case a.isRaceOf(f.Race, accesses):
			r.Level, r.Harm = "error", possible(f)
			r.Harm.Expected, r.Harm.Actual = nil, a.raceText(f.Race)
			return harm.Enough
		case other == nil && !slices.ContainsFunc(known, func(k Race) bool { return k.Harm.Actual == a.raceText(f.Race) }):
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
		r.Harm.Reason = err.Error()
	default:
		r.Harm.Reason = "no run was found in which the two race, " + tried
	}
	return r
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
