package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// The search for a violation ends with its first counterexample, which may be one of two units that
// do no harm to each other, where another unit in place of one of them does. So where no harm was
// found the search goes on, without one of the units, then without the other one: any other pair
// lacks one of the two. Two calls of one unit are left out with every pair that has it.

// maxSearches bounds the further searches for one violation.
const maxSearches = 6

// another is the search for another counterexample of a violation, which does harm.
type another struct {
	analysis *analysis
	lowered  *lower.Result
	program  *esl.Program               // that the violation was found in
	searched map[string]*ScenarioResult // what was found, by scenario and units that were left out
}

// of replaces a violation by one of the same scenario that does harm, if it finds one.
func (n another) of(ctx context.Context, h *harmSearch, s *ScenarioResult) error {
	i := slices.IndexFunc(n.analysis.request.Scenarios, func(w scenarios.Scenario) bool { return w.Number == s.Scenario })
	if i < 0 || len(s.Units) != 2 {
		return nil
	}
	excluded := [][]string{{s.Units[0]}, {s.Units[1]}}
	tried := map[string]bool{}
	for searches := 0; len(excluded) > 0 && searches < maxSearches; {
		without := excluded[0]
		excluded = excluded[1:]
		if key := setKey(without); tried[key] {
			continue
		} else {
			tried[key] = true
		}
		searches++
		key := fmt.Sprintf("%d %s", s.Scenario, setKey(without))
		if _, ok := n.searched[key]; !ok {
			found, err := n.search(ctx, without, n.analysis.request.Scenarios[i])
			if err != nil {
				return err
			}
			n.searched[key] = found
		}
		found := n.searched[key]
		if found == nil {
			continue
		}
		found.Harm = &Harm{Status: HarmUnknown}
		if pair, err := h.experiment.pairOf(found); err == nil && !h.fruitless[pair] {
			h.of(ctx, pair, []*ScenarioResult{found})
			if found.Harm.Status == HarmPossible {
				*s = *found
				return nil
			}
		}
		for _, unit := range found.Units {
			excluded = append(excluded, append(slices.Clone(without), unit))
		}
	}
	return nil
}

// search looks for a violation in the model without some units; nil: there is none, or none that is an
// error, or the limits of a query have run out.
func (n another) search(ctx context.Context, units []string, s scenarios.Scenario) (*ScenarioResult, error) {
	v, err := n.check(ctx, withoutUnits(n.program, units), s, nil)
	if v != nil && v.Verdict == VerdictViolation && v.Level == "error" && len(v.Units) == 2 {
		return v, err
	}
	return nil, err
}

// check looks for a violation in a model, but not between pairs of units that are left out; nil: the limits
// of a query have run out.
func (n another) check(ctx context.Context, p *esl.Program, s scenarios.Scenario,
	leftOut func(u, v esl.UnitName) bool) (*ScenarioResult, error) {
	a := n.analysis
	limited, stop := limit.ForQuery(ctx, a.request.Timeout, a.request.Memory)
	defer stop()
	result := *n.lowered
	result.Program = p
	found, err := checker.Check(limited, result.Program,
		checker.Options{Scenarios: []scenarios.Scenario{s}, Engine: a.runner.engine(a.request.Engine), LeftOut: leftOut})
	if err != nil {
		if limit.Passed(limited) != nil || ctx.Err() != nil {
			err = nil // the first counterexample stays
		}
		return nil, err
	}
	q := Describe(result.Program, &result, found)
	if !a.request.Strict {
		if err := a.outputNotes(ctx, &q, found, &result); err != nil && ctx.Err() == nil {
			return nil, err
		} else if err != nil {
			return nil, nil
		}
	}
	return &q.Scenarios[0], nil
}

// withoutUnits returns the model in which a process stops where it would begin one of the units: so
// what is found in it can happen in the model.
func withoutUnits(p *esl.Program, units []string) *esl.Program {
	copied := *p
	copied.Functions = slices.Clone(copied.Functions)
	for i, f := range copied.Functions {
		body := slices.Clone(f.Body)
		for k, st := range body {
			if st.Op == esl.UnitBegin && slices.Contains(units, st.Unit) {
				body[k] = esl.Stmt{Op: esl.Choice, Pos: st.Pos}
			}
		}
		copied.Functions[i].Body = body
	}
	return &copied
}

// lenient is the model without what is only a note.
func lenient(m *lower.Result) *esl.Program {
	p, _ := notes.WithoutRemovals(m.Program, m.Removals)
	return p
}

// setKey is the same for the same names in any order.
func setKey(names []string) string {
	sorted := slices.Sorted(slices.Values(names))
	key := ""
	for _, name := range slices.Compact(sorted) {
		key += name + "\n"
	}
	return key
}
