package pipeline

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/scenarios"
)

// The search for a violation ends with its first counterexample, which may be one of two units that
// do no harm to each other, where another unit in place of one of them does; and where two do harm, others
// may do so as well. So the search goes on without one of the units, then without the other one: any other
// pair lacks one of the two. Two calls of one unit are left out with every pair that has it.

const (
	maxSearches    = 8          // further searches of one try, each for all violations of the query
	maxFurtherWork = 20_000_000 // states and transitions of them
	maxOthers      = 4          // pairs that are told besides those found first
)

// others looks for further pairs of units that do harm.
type others struct {
	analysis *analysis
	lowered  *lower.Result
	program  *esl.Program         // that the violations were found in
	wanted   []scenarios.Scenario // those that are violated
	searches []search             // so far
	work     int                  // that they may still do in this try
	more     int                  // how many there may still be in it
	pairs    map[string]bool      // that do harm, in either order
}

// search is a search without some units, and what it has found.
type search struct {
	key   string
	found []*ScenarioResult
}

func newOthers(a *analysis, m *lower.Result, violations []*ScenarioResult) *others {
	n := &others{analysis: a, lowered: m, program: withoutNotes(m), work: maxFurtherWork, pairs: map[string]bool{}}
	for _, w := range a.request.Scenarios {
		if slices.ContainsFunc(violations, func(s *ScenarioResult) bool {
			return s.Scenario == w.Number && s.Level == "error" && len(s.Units) == 2
		}) {
			n.wanted = append(n.wanted, w)
		}
	}
	return n
}

// begin lets a try make as many searches as the first one, for what is still violated.
func (n *others) begin() {
	if n != nil {
		n.work, n.more = maxFurtherWork, maxSearches
	}
}

// lookFor looks for other pairs of units: in place of those of violations of which no harm is known, and, if
// all is set, besides the others.
func (n *others) lookFor(ctx context.Context, h *harmSearch, violations []*ScenarioResult, all bool) error {
	if n == nil {
		return nil
	}
	var excluded [][]string
	for _, s := range violations {
		if len(s.Units) != 2 || s.Level != "error" {
			continue
		}
		if s.Harm.Status == HarmPossible {
			n.pairs[setKey(s.Units)] = true
		}
		if all || s.Harm.Status == HarmUnknown {
			excluded = append(excluded, s.Units[:1], s.Units[1:])
		}
	}
	tried := map[string]bool{}
	for len(excluded) > 0 && (all || slices.ContainsFunc(violations, isUndecided)) {
		without := excluded[0]
		excluded = excluded[1:]
		if tried[setKey(without)] {
			continue
		}
		tried[setKey(without)] = true
		found, err := n.without(ctx, without)
		if err != nil || ctx.Err() != nil {
			return err
		}
		n.harmOf(ctx, h, found)
		for _, s := range found {
			n.take(s, violations, all)
			for _, unit := range s.Units {
				excluded = append(excluded, append(slices.Clone(without), unit))
			}
		}
	}
	return nil
}

// isUndecided tells whether it is not known whether a violation does harm.
func isUndecided(s *ScenarioResult) bool { return s.Level == "error" && s.Harm.Status == HarmUnknown }

// harmOf looks for the harm of what was found, unless that has been done.
func (n *others) harmOf(ctx context.Context, h *harmSearch, found []*ScenarioResult) {
	byPair := map[[2]string][]*ScenarioResult{}
	var order [][2]string
	for _, s := range found {
		if s.Harm == nil {
			s.Harm = &Harm{Status: HarmUnknown}
		}
		pair, err := h.experiment.pairOf(s)
		if err != nil || s.Harm.Status == HarmPossible {
			continue
		}
		if _, ok := h.fruitless(pair, false); ok {
			continue
		}
		if byPair[pair] == nil {
			order = append(order, pair)
		}
		byPair[pair] = append(byPair[pair], s)
	}
	for _, pair := range order {
		h.of(ctx, pair, byPair[pair])
	}
}

// take puts a violation that does harm in place of one of which that is not known, or beside the others
// of its scenario, if they are of other units.
func (n *others) take(s *ScenarioResult, violations []*ScenarioResult, all bool) {
	i := slices.IndexFunc(violations, func(v *ScenarioResult) bool { return v.Scenario == s.Scenario })
	if i < 0 || s.Harm.Status != HarmPossible {
		return
	}
	v, key := violations[i], setKey(s.Units)
	switch {
	case v.Harm.Status == HarmUnknown:
		*v = *s
		n.pairs[key] = true
	case all && !n.pairs[key] && len(n.pairs) < maxOthers+len(violations):
		v.Others = append(v.Others, *s)
		n.pairs[key] = true
	}
}

// without returns what is found in the model without some units.
func (n *others) without(ctx context.Context, units []string) ([]*ScenarioResult, error) {
	key := setKey(units)
	if i := slices.IndexFunc(n.searches, func(s search) bool { return s.key == key }); i >= 0 {
		return n.searches[i].found, nil
	}
	if n.more == 0 || n.work <= 0 || len(n.wanted) == 0 {
		return nil, nil
	}
	n.more--
	found, err := n.search(ctx, units)
	if ctx.Err() == nil { // else a later try goes on
		n.searches = append(n.searches, search{key, found})
	}
	return found, err
}

// search looks for violations in the model without some units. None is found where the limits of a query
// have run out.
func (n *others) search(ctx context.Context, units []string) (all []*ScenarioResult, err error) {
	q, err := n.check(ctx, withoutUnits(n.program, units), n.wanted, nil)
	if q == nil {
		return nil, err
	}
	for i := range q.Scenarios {
		if v := &q.Scenarios[i]; v.Verdict == VerdictViolation && v.Level == "error" && len(v.Units) == 2 {
			all = append(all, v)
		}
	}
	return all, nil
}

// check looks for violations in a model, but not between pairs of units that are left out; nil: the limits
// of the query have run out, and the first counterexamples stay.
func (n *others) check(ctx context.Context, p *esl.Program, wanted []scenarios.Scenario,
	leftOut func(u, v esl.UnitName) bool) (*QueryResult, error) {
	a := *n.analysis
	a.request.Scenarios = wanted
	result := *n.lowered
	result.Program = p
	_, q, err := a.foundIn(ctx, &result, checker.Options{Scenarios: wanted, NoRaces: true, LeftOut: leftOut}, &n.work)
	return q, err
}

// foundIn is what is found in a model, as the checker and as the user has it; nil: the limits of the query have run
// out. What it took is taken from the work that is left.
func (a *analysis) foundIn(ctx context.Context, m *lower.Result, o checker.Options, work *int) (*checker.Result,
	*QueryResult, error) {
	o.Engine = a.runner.engine(a.request.Engine)
	found, _, err := checked(ctx, m.Program, m, o)
	if err != nil {
		if ctx.Err() != nil {
			*work, err = 0, nil
		}
		return nil, nil, err
	}
	*work -= found.Work.States + found.Work.Transitions
	q := Describe(m.Program, m, found)
	if !a.request.Strict {
		if err := a.outputNotes(ctx, &q, found, m); err != nil && ctx.Err() == nil {
			return nil, nil, err
		} else if err != nil {
			return nil, nil, nil
		}
	}
	return found, &q, nil
}

// withoutUnits returns the model in which a process stops where it would begin one of the units: so
// what is found in it can happen in the model.
func withoutUnits(p *esl.Program, units []string) *esl.Program {
	return p.Rewritten(func(_ esl.Place, st esl.Stmt) esl.Stmt {
		if st.Op == esl.UnitBegin && slices.Contains(units, st.Unit) {
			return esl.Stmt{Op: esl.Choice, Pos: st.Pos}
		}
		return st
	})
}

// lenient is the model without what is only a note.
func lenient(m *lower.Result) *esl.Program {
	p, _ := notes.WithoutRemovals(m.Program, m.Removals)
	return p
}

// withoutNotes is the model without what is only a note, what lies within a call of a library included: see
// libraryNotes.
func withoutNotes(m *lower.Result) *esl.Program {
	p := lenient(m)
	if steps, ok := notes.LibrarySteps(p, isPart(p)); ok {
		return steps
	}
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
