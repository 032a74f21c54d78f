package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harm"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/reduce"
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
func (a *analysis) addRaces(ctx context.Context, h *harmSearch, q *QueryResult) {
	shown := slices.IndexFunc(q.Races, func(r Race) bool { return isSameRace(q.Race, r.Accesses) })
	for i := range q.Races {
		if h := q.Races[i].Harm; h != nil && h.Status == HarmPossible { // it is known from an earlier try
			continue
		}
		a.race(ctx, h, &q.Races[i], q.Races[:i])
	}
	if shown >= 0 {
		q.Race = q.Races[shown].Accesses
	}
}

// shownRace is a race that a run of a pair has shown.
type shownRace struct {
	pair [2]string
	*harm.Finding
}

// noteRace remembers a race that a run has shown, whatever the run was made for: of two calls that are meant to be made
// at the same time, if there are such.
func (h *harmSearch) noteRace(pair [2]string, f *harm.Finding) {
	if f.Race == nil {
		return
	}
	i := slices.IndexFunc(h.races, func(known shownRace) bool { return known.Race.Accesses == f.Race.Accesses })
	switch {
	case i >= 0 && h.races[i].Unmeant != "" && f.Unmeant == "":
		h.races[i] = shownRace{pair, f}
	case i < 0 && len(h.races) < maxSeenRaces:
		h.races = append(h.races, shownRace{pair, f})
	}
}

// maxSeenRaces bounds the races that are remembered.
const maxSeenRaces = 50

// race looks for a run in which two accesses race, or two others of the fields, if no race known does: then these are
// told in their place.
func (a *analysis) race(ctx context.Context, h *harmSearch, r *Race, known []Race) {
	accesses := r.Accesses
	r.Harm = &Harm{Status: HarmUnknown}
	isKnown := func(shown *execute.Race) bool {
		return slices.ContainsFunc(known, func(k Race) bool { return k.Level == "error" && a.isRaceOf(shown, k.Accesses) })
	}
	is := func(f *harm.Finding) {
		r.Level, r.Harm = "error", possible(f)
		r.Harm.Expected, r.Harm.Actual = nil, a.raceText(f.Race)
		if !a.isRaceOf(f.Race, accesses) {
			r.Accesses = a.accessesOf(f.Race, accesses)
		}
		if why := a.whyWarning(f, accesses); why != "" {
			r.Level, r.Harm.Status, r.Harm.Reason = "warning", HarmUnknown, why
		}
	}
	var other *harm.Finding // that will do
	for _, seen := range h.races {
		switch {
		case !a.isRaceOf(seen.Race, accesses):
		case seen.Unmeant == "":
			is(seen.Finding)
			return
		case other == nil:
			other = seen.Finding
		}
	}
	pair, err := h.experiment.raceOf(accesses)
	if err != nil {
		r.Harm.Reason = err.Error()
		return
	}
	for _, seen := range h.races {
		if other == nil && seen.pair == pair && !isKnown(seen.Race) {
			other = seen.Finding
		}
	}
	reason, ok := h.fruitless(pair, true)
	if !ok && other == nil {
		reason, other, err = a.searchRace(ctx, h, pair, accesses, isKnown)
	}
	if errors.Is(err, harm.ErrNever) || other != nil && other.Unmeant != "" {
		// With another function the access may lack a lock that this one takes.
		for _, partner := range h.experiment.partners(pair) {
			if _, tried := h.fruitless(partner, true); tried {
				continue
			}
			if _, found, _ := a.searchRace(ctx, h, partner, accesses, isKnown); found != nil && found.Unmeant == "" {
				other = found
				break
			}
		}
	}
	if other != nil {
		is(other)
		return
	}
	r.Harm.Reason = reason
}

// whyWarning says why a race that a run shows does not count; "" if it does.
func (a *analysis) whyWarning(f *harm.Finding, accesses []Step) string {
	for _, at := range f.Race.Accesses {
		if fn := at.Parent(); knowledge.IsNoRace(fn) {
			return fmt.Sprintf("the author of %s has excluded it from the race detector, by //go:norace", fn.Name())
		}
	}
	switch {
	case f.Unmeant != "":
		return f.Unmeant
	case f.IsMeant || a.subject.Type == nil || !a.entry.IsLibrary():
		return ""
	}
	return a.whyUnguarded(accesses[0].Location)
}

// whyUnguarded says why no lock evidently guards a field, by its location; "" if one evidently guards it.
// The experiments are locked.
func (a *analysis) whyUnguarded(location string) string {
	a.lookAtLocks()
	for _, field := range a.subject.Fields {
		rest, ok := strings.CutPrefix(location, field)
		if d := a.locking[field]; ok && !d.IsEvident() && (rest == "" || strings.ContainsAny(rest[:1], ".[ ")) {
			return d.WhyNot(field)
		}
	}
	return ""
}

// searchRace looks for a run that shows a race of two accesses; or another one that is not known, in its place. The
// error says why none was made, the reason why none was found.
func (a *analysis) searchRace(ctx context.Context, h *harmSearch, pair [2]string, accesses []Step,
	isKnown func(*execute.Race) bool) (reason string, found *harm.Finding, err error) {
	tried, err := h.experiment.race(ctx, pair, h.subject, h.part, func(f *harm.Finding) harm.Next {
		switch {
		case f.Race == nil:
			return harm.GoOn
		case a.isRaceOf(f.Race, accesses):
			found = f
			return harm.Enough
		case found == nil && !isKnown(f.Race):
			found = f
		}
		h.noteRace(pair, f)
		return harm.Settle
	})
	reason = "no run was found in which the two race, " + tried
	if err != nil {
		reason = whyNoHarm(ctx, err)
	}
	if found == nil && ctx.Err() == nil {
		h.tried[attempt{pair, h.part, true}] = reason
	}
	return reason, found, err
}

// isRaceOf tells whether a race of a run is between accesses on the lines of these.
func (a *analysis) isRaceOf(r *execute.Race, accesses []Step) bool {
	at := func(i int) string {
		p := a.program.Position(r.Accesses[i].Pos())
		return fmt.Sprintf("%s:%d:", p.File, p.Line)
	}
	return areSame([2]string{at(0), at(1)}, accesses)
}

// accessesOf returns the accesses that race in a run, in place of some that it was looked for; those where one of the
// run's has no place in the source. They are on the same field where the run does not show which one it is.
func (a *analysis) accessesOf(r *execute.Race, sought []Step) []Step {
	shown := make([]Step, len(r.Accesses))
	for i, at := range r.Accesses {
		if !at.Pos().IsValid() {
			return sought
		}
		shown[i] = a.clientsStep(at, at.Pos(), r.IsWrite[i], cmp.Or(a.fieldAt(at), sought[0].Location))
	}
	return shown
}

// fieldAt returns the field of the atomic set that an instruction accesses; "" if it does not show.
func (a *analysis) fieldAt(instr ssa.Instruction) string {
	for _, v := range reduce.Pointers(instr) {
		for v != nil {
			switch address := v.(type) {
			case *ssa.FieldAddr:
				if a.subject.Is(address.X.Type().Underlying().(*types.Pointer).Elem()) {
					if name := query.FieldOf(address).Name(); slices.Contains(a.subject.Fields, name) {
						return name
					}
					return ""
				}
				v = address.X
			case *ssa.IndexAddr:
				v = address.X
			case *ssa.UnOp:
				v = address.X
			default:
				v = nil
			}
		}
	}
	return ""
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
