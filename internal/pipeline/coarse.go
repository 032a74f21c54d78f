package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// Where much code of libraries touches the set, the first model does not follow it (see
// reduce.Reduction.Coarse): that adds runs, and takes none, so that what is safe there is safe. A
// violation counts if no such code has a part in the run. What is open then is asked of a second
// model, in which all is followed, as far as there is work left for it.

// manyCoarse is from how many functions on code of libraries is not followed.
const manyCoarse = 64

// coarseOf returns the functions that the first model does not follow.
func coarseOf(kept *reduce.Reduction) map[*pointsto.Node]bool {
	if len(kept.Coarse) < manyCoarse {
		return nil
	}
	return kept.Coarse
}

// secondModel lets the next try use a model in which all is followed, if the answer leaves something open
// and came from one in which it is not. It reports whether that is so.
func (q *asking) secondModel() bool {
	isOpen := slices.ContainsFunc(q.answer.Scenarios, func(s ScenarioResult) bool { return s.Verdict == VerdictUnknown })
	if !q.done || q.model == nil || q.model.coarse == nil || !isOpen {
		return false
	}
	first := q.answer
	q.first, q.model, q.isSearched, q.done = &first, nil, false, false
	return true
}

// keepFirst fills in what the first model has decided, and the second one has not.
func (q *asking) keepFirst() {
	if q.first == nil {
		return
	}
	now := &q.answer
	if len(now.Assumptions) == 0 || slices.ContainsFunc(now.Assumptions, isRaceOpen) {
		now.DataRace, now.Race, now.Races = q.first.DataRace, q.first.Race, q.first.Races
	}
	var verdicts []string
	for i, s := range now.Scenarios {
		k := slices.IndexFunc(q.first.Scenarios, func(f ScenarioResult) bool { return f.Scenario == s.Scenario })
		if s.Verdict == VerdictUnknown && k >= 0 {
			now.Scenarios[i] = q.first.Scenarios[k]
		}
		verdicts = append(verdicts, now.Scenarios[i].Verdict)
	}
	if now.Verdict = overall(verdicts); now.Verdict != VerdictUnknown {
		now.Reason = ""
	}
	if len(now.Assumptions) == 0 { // there is no second model
		now.Assumptions, now.RestsOn, now.SwitchedOff, now.Model = q.first.Assumptions, q.first.RestsOn,
			q.first.SwitchedOff, q.first.Model
	}
}

func isRaceOpen(a Assumption) bool { return a.Kind == "data race" }

// checked looks for violations in a variant of a model. What hangs on code that is not followed is not
// known.
func checked(ctx context.Context, p *esl.Program, m *lower.Result, options checker.Options) (*checker.Result, error) {
	found, err := checker.Check(ctx, p, options)
	if err != nil {
		return nil, err
	}
	return trusted(p, m, found), nil
}

// trusted returns what was found without what hangs on code that is not followed.
func trusted(p *esl.Program, m *lower.Result, found *checker.Result) *checker.Result {
	if len(m.Coarse) == 0 {
		return found
	}
	sure := *found
	sure.Findings = slices.Clone(found.Findings)
	for i, f := range sure.Findings {
		if v, ok := f.Verdict.(checker.Violation); ok {
			if loose := looseIn(p, m, v.Steps); len(loose) > 0 {
				sure.Findings[i].Verdict = checker.Unknown{Reason: fmt.Sprintf("code of libraries was too large to follow, "+
					"and may do this: %s", strings.Join(loose, ", "))}
			}
		}
	}
	sure.Races = slices.DeleteFunc(slices.Clone(found.Races), func(r *checker.Race) bool {
		return len(looseIn(p, m, r.Steps)) > 0
	})
	if r := found.DataRace; r != nil && len(looseIn(p, m, r.Steps)) > 0 {
		if sure.DataRace = nil; len(sure.Races) > 0 {
			sure.DataRace = sure.Races[0]
		}
		sure.RaceKnown = sure.DataRace != nil
	}
	return &sure
}

// looseIn returns the functions that are not followed and have a part in a run.
func looseIn(p *esl.Program, m *lower.Result, steps []esl.Step) (names []string) {
	if len(m.Coarse) == 0 {
		return nil
	}
	for _, step := range steps {
		at := p.Functions[step.Function].Body[step.Index].Pos
		for _, name := range []string{m.GoFunctions[step.Function], m.Inlined[at]} {
			if m.Coarse[name] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
