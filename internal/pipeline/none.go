package pipeline

import (
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/atomicity"
	"github.com/empire-go/empire-go/scenarios"
)

// harmless tells which units of work do no harm to each other, as both are effectively atomic.
type harmless struct {
	analysis *analysis
	program  *atomicity.Program
	units    map[string][]*ssa.Function // by their names
}

func (a *analysis) newHarmless(ctx context.Context) *harmless {
	h := &harmless{a, atomicity.New(ctx, a.graph), map[string][]*ssa.Function{}}
	for _, fn := range a.graph.Functions() {
		name := strings.TrimSuffix(fn.String(), "$bound")
		h.units[name] = append(h.units[name], fn)
	}
	return h
}

// are tells whether two units do no harm to each other.
func (h *harmless) are(u, v string) bool {
	for _, fn := range h.units[u] {
		for _, other := range h.units[v] {
			if !atomicity.AreHarmless(h.program.Unit(fn), h.program.Unit(other)) {
				return false
			}
		}
	}
	return len(h.units[u]) > 0 && len(h.units[v]) > 0
}

// reason says why two units do no harm to each other.
func (h *harmless) reason(u, v string) string {
	text := h.point(u)
	if v != u {
		text += ", and " + h.point(v)
	}
	return text + ": whatever comes between, the outcome is that of one order"
}

// point says where a unit does all that it does.
func (h *harmless) point(unit string) string {
	name := atomicity.ShortName(h.units[unit][0])
	proof := h.program.Unit(h.units[unit][0])
	if at := proof.Point; at != token.NoPos {
		return fmt.Sprintf("%s does all that it does at %s", name, h.analysis.program.Position(at))
	}
	if proof.OnlyAdds {
		return name + " only adds to what nobody reads"
	}
	return name + " does nothing that others see"
}

// addNone finds the violations that do no harm: for which none was found, and of which all units are
// effectively atomic. If those of another counterexample are not, that is the one which is shown.
func (a *analysis) addNone(ctx context.Context, q *QueryResult, h *harmSearch, violations []*ScenarioResult) error {
	n := h.others
	if n == nil {
		return nil
	}
	if a.request.checksProofs != nil && !q.DataRace {
		a.checkProofs(a.newHarmless(ctx), h, violations)
	}
	open := slices.DeleteFunc(slices.Clone(violations), func(s *ScenarioResult) bool {
		return s.Harm.Status != HarmUnknown || s.Level != "error" || len(s.Units) != 2
	})
	if len(open) == 0 || q.DataRace { // a data race is like no order
		return nil
	}
	pairs := a.newHarmless(ctx)
	known := map[[2]string]bool{}
	for _, p := range unitNames(n.program) {
		for _, r := range unitNames(n.program) {
			known[[2]string{p, r}] = pairs.are(p, r)
		}
	}
	for _, s := range open {
		if !known[[2]string(s.Units)] {
			continue
		}
		if err := n.beyond(ctx, h, s, pairs, known); err != nil {
			return err
		}
	}
	return nil
}

// checkProofs tells of each pair of units that are called by themselves in a run which does harm, whether
// there is a proof that they do none: that would be a defect.
func (a *analysis) checkProofs(pairs *harmless, h *harmSearch, violations []*ScenarioResult) {
	for _, s := range violations {
		called, err := h.experiment.pairOf(s)
		if err == nil && s.Harm.Status == HarmPossible && slices.Equal(called[:], s.Units) {
			a.request.checksProofs(called[0], called[1], pairs.are(called[0], called[1]))
		}
	}
}

// beyond says that a violation does no harm, or replaces it by one between units that may do some.
func (n *others) beyond(ctx context.Context, h *harmSearch, s *ScenarioResult, pairs *harmless,
	known map[[2]string]bool) error {
	i := slices.IndexFunc(n.analysis.request.Scenarios, func(w scenarios.Scenario) bool { return w.Number == s.Scenario })
	if i < 0 {
		return nil
	}
	q, err := n.check(ctx, n.program, n.analysis.request.Scenarios[i:i+1], func(u, v esl.UnitName) bool {
		return known[[2]string{u.Label, v.Label}]
	})
	if err != nil {
		return err
	}
	found := &ScenarioResult{Verdict: VerdictUnknown}
	if q != nil {
		found = &q.Scenarios[0]
	}
	switch {
	case found.Verdict == VerdictUnknown:
		s.Harm.Reason = "these two units do none to each other; it was not decided whether others do this"
	case found.Verdict == VerdictSafe:
		s.Harm = &Harm{Status: HarmNone, Reason: pairs.reason(s.Units[0], s.Units[1])}
	case found.Level == "error" && len(found.Units) == 2:
		found.Harm = &Harm{Status: HarmUnknown}
		if pair, err := h.experiment.pairOf(found); err != nil {
			found.Harm.Reason = err.Error()
		} else {
			h.of(ctx, pair, []*ScenarioResult{found})
		}
		*s = *found
	}
	return nil
}

// unitNames returns the names of the units of a model.
func unitNames(p *esl.Program) (all []string) {
	for _, f := range p.Functions {
		for _, s := range f.Body {
			if s.Op == esl.UnitBegin {
				all = append(all, s.Unit)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
