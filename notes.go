package empire

import (
	"context"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/scenarios"
)

// noteLevels finds the violations that are only notes: all values that they read flow
// into logging, metrics or formatting for output. The one that was found for a
// scenario is a note only if there is no other one of which that does not hold, so
// that two more models are checked: without those reads, and with at most one of them
// in a match. What is undecided in them stays an error.
func (a *analysis) noteLevels(ctx context.Context, q *QueryResult, found *checker.Result, m *lower.Result) error {
	if a.request.Strict || !lower.HasOutput(m.Program) || !hasNote(m.Program, found) {
		return nil
	}
	var others []QueryResult
	for _, p := range []*esl.Program{lower.WithoutOutput(m.Program), lower.OutputOnce(m.Program)} {
		without, err := checker.Check(ctx, p, checker.Options{Scenarios: a.request.Scenarios, Engine: a.runner.engine(a.request.Engine)})
		if err != nil {
			return err
		}
		others = append(others, Describe(p, m, without))
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
			q.Scenarios[i].Level = "note"
		}
	}
	var verdicts []string
	for _, s := range q.Scenarios {
		if s.Level == "note" {
			s.Verdict = VerdictSafe
		}
		verdicts = append(verdicts, s.Verdict)
	}
	q.Verdict = overall(verdicts)
	return nil
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
		if reads++; p.Functions[step.Function].Body[step.Index].Key != lower.OutputMark {
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
