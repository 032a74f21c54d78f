package pipeline

import (
	"context"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/scenarios"
)

// Why a violation is only a note.
const (
	NoteOutput  = "output"  // what it reads flows only into logs, metrics or output
	NotePassing = "passing" // it decides how long to wait or what to call; or a unit takes out of a map what it has put in
	NoteLibrary = "library" // it lies within calls of a library, whose objects have locks of their own
)

// noteLevels finds the violations that are only notes: among those found in a model, and
// by comparing it with what it was made from, in which nothing is left out.
func (a *analysis) noteLevels(ctx context.Context, q *QueryResult, found *checker.Result, m, full *lower.Result) error {
	if a.request.Strict {
		return nil
	}
	err := a.outputNotes(ctx, q, found, m)
	if err == nil {
		err = a.libraryNotes(ctx, q, found, m)
	}
	if err == nil {
		err = a.toleratedNotes(ctx, q, full)
	}
	q.Verdict = q.ofScenarios()
	return err
}

// checkVariant looks for violations of the scenarios in a variant of the model.
func (a *analysis) checkVariant(ctx context.Context, p *esl.Program, m *lower.Result, wanted []scenarios.Scenario) (
	QueryResult, error) {
	found, _, err := checked(ctx, p, m, checker.Options{Scenarios: wanted, Engine: a.runner.engine(a.request.Engine)})
	if err != nil {
		return QueryResult{}, err
	}
	return Describe(p, m, found), nil
}

// toleratedNotes adds as notes the violations that the model has only if it does not forget
// the reads that decide only how long the unit waits, or what it calls, and has the accesses
// by which units take out of maps what they have put in.
func (a *analysis) toleratedNotes(ctx context.Context, q *QueryResult, m *lower.Result) error {
	var safe []scenarios.Scenario
	for i, s := range q.Scenarios {
		if s.Verdict == VerdictSafe {
			safe = append(safe, a.request.Scenarios[i])
		}
	}
	_, removes := notes.WithoutRemovals(m.Program, m.Removals)
	if len(safe) == 0 || !removes && !notes.HasPassing(m.Program) {
		return nil
	}
	with, err := a.checkVariant(ctx, notes.WithPassing(m.Program), m, safe)
	if err != nil {
		return err
	}
	for _, s := range with.Scenarios {
		i := slices.IndexFunc(q.Scenarios, func(other ScenarioResult) bool { return other.Scenario == s.Scenario })
		if s.Verdict == VerdictViolation {
			m.Rules.Use(rules.Removals, removes)
			m.Rules.Use(rules.PassingReads, notes.HasPassing(m.Program))
			s.Level, s.Note = "note", NotePassing
			q.Scenarios[i] = s
		}
	}
	return nil
}

// outputNotes finds the violations of which all values that are read flow into logging,
// metrics or formatting for output. The one that was found for a
// scenario is a note only if there is no other one of which that does not hold, so
// that two more models are checked: without those reads, and with at most one of them
// in a match. What is undecided in them stays an error.
func (a *analysis) outputNotes(ctx context.Context, q *QueryResult, found *checker.Result, m *lower.Result) error {
	if !notes.HasOutput(m.Program) || !hasNote(m.Program, found) {
		return nil
	}
	var others []QueryResult
	for _, p := range []*esl.Program{notes.WithoutOutput(m.Program), notes.OutputOnce(m.Program)} {
		without, err := a.checkVariant(ctx, p, m, a.request.Scenarios)
		if err != nil {
			return err
		}
		others = append(others, without)
	}
	for i, f := range found.Findings {
		other := others[0].Scenarios[i]
		if mayReadTwice(f.Scenario) && other.Verdict == VerdictSafe {
			other = others[1].Scenarios[i]
		}
		v, violated := f.Verdict.(checker.Violation)
		switch isNote := violated && readsOnlyOutput(m.Program, v); {
		case other.Verdict == VerdictViolation && (isNote || !violated):
			q.Scenarios[i] = other
		case other.Verdict == VerdictSafe && isNote:
			m.Rules.Use(rules.Output, true)
			q.Scenarios[i].Level, q.Scenarios[i].Note = "note", NoteOutput
		}
	}
	return nil
}

// libraryNotes finds the violations that lie within calls of libraries, on what guards itself: where such a call
// is one step there are none.
func (a *analysis) libraryNotes(ctx context.Context, q *QueryResult, found *checker.Result, m *lower.Result) error {
	part := isPart(m.Program)
	var within []scenarios.Scenario
	for i, f := range found.Findings {
		v, violated := f.Verdict.(checker.Violation)
		if violated && q.Scenarios[i].Level == "error" && isWithinLibraries(m.Program, v, part) {
			within = append(within, f.Scenario)
		}
	}
	if len(within) == 0 {
		return nil
	}
	steps, ok := notes.LibrarySteps(m.Program, part)
	if !ok {
		return nil
	}
	others, err := a.checkVariant(ctx, steps, m, within)
	if err != nil {
		return err
	}
	for _, other := range others.Scenarios {
		i := slices.IndexFunc(q.Scenarios, func(s ScenarioResult) bool { return s.Scenario == other.Scenario })
		switch other.Verdict {
		case VerdictViolation:
			q.Scenarios[i] = other
		case VerdictSafe:
			m.Rules.Use(rules.LibrarySteps, true)
			q.Scenarios[i].Level, q.Scenarios[i].Note = "note", NoteLibrary
		}
	}
	return nil
}

// isPart returns what tells whether a location is the part of what a field leads to that guards itself.
func isPart(p *esl.Program) func(location int) bool {
	return func(location int) bool { return strings.HasSuffix(p.Locations[location].Name, lower.PartSuffix) }
}

// isWithinLibraries tells whether all that matches is done by code of libraries to what guards itself.
func isWithinLibraries(p *esl.Program, v checker.Violation, isPart func(location int) bool) bool {
	for _, at := range v.Matched {
		st := p.Functions[v.Steps[at].Function].Body[v.Steps[at].Index]
		if st.Pos.InModule() || !isPart(st.Arg) {
			return false
		}
	}
	return true
}

// hasNote tells whether one of the violations found reads nothing but output.
func hasNote(p *esl.Program, found *checker.Result) bool {
	for _, f := range found.Findings {
		if v, ok := f.Verdict.(checker.Violation); ok && readsOnlyOutput(p, v) {
			return true
		}
	}
	return false
}

// readsOnlyOutput tells whether a violation reads something, and all of that flows
// only into output.
func readsOnlyOutput(p *esl.Program, v checker.Violation) bool {
	reads := 0
	for k, at := range v.Matched {
		if v.Pattern.Events[k].Kind != scenarios.Read {
			continue
		}
		step := v.Steps[at]
		if reads++; p.Functions[step.Function].Body[step.Index].Key != notes.OutputMark {
			return false
		}
	}
	return reads > 0
}

// mayReadTwice tells whether a pattern of the scenario has several reads.
func mayReadTwice(s scenarios.Scenario) bool {
	for _, p := range s.Patterns {
		reads := 0
		for _, e := range p.Events {
			if e.Kind == scenarios.Read {
				reads++
			}
		}
		if reads > 1 {
			return true
		}
	}
	return false
}
