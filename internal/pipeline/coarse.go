package pipeline

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/simplify"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// Where much code of libraries touches the set, most of that is memory far behind the fields, as the bytes of
// the certificates in a cache: which of it is whose is not known any more, and a model in which all is
// followed is too large to be of use.

// detail says how much of what libraries do is in a model.
type detail int

const (
	// outline: of a large program only what accesses the set, or uses the locks of who does, is followed; the rest
	// leads there in any order, and as often as it likes (see reduce.Options.Outline). What is safe there is safe.
	// A violation counts if nothing of the kind has a part in the run; what has is followed in the next outline (see
	// refinement). It costs little, whatever the size of the program.
	// Where much code of libraries touches the set, it is shallow, too.
	outline detail = iota
	// shallow: they leave alone what the fields lead to, beyond the memory that a field holds itself. Each run of
	// such a model is one of the program's, so far as the model is right; that it is safe rests on an
	// assumption, which says so.
	shallow
	// loose: they do it in any order, and as often as they like (see reduce.Reduction.Coarse): that adds runs, and
	// takes none, so that what is safe there is safe. A violation counts if no such code has a part in the run.
	loose
	full // all is followed
)

// What is open in one model is asked of the next, as far as there is work left for it.

// manyCoarse is from how many functions on code of libraries is not followed. manyApart is from how many functions
// on that access what guards itself the fields do not lead there in the first models: as methods of a set of
// connections would be about all that a connection is.
const manyCoarse, manyApart = 64, 16

// isDeep tells whether the first models are shallow.
func isDeep(kept *reduce.Reduction) bool { return coarseOf(kept) != nil || kept.OnApart >= manyApart }

// coarseOf returns the functions that the first model does not follow.
func coarseOf(kept *reduce.Reduction) map[*pointsto.Node]bool {
	if len(kept.Coarse) < manyCoarse {
		return nil
	}
	return kept.Coarse
}

// leftToLibraries is what a safe verdict of a shallow model rests on.
func leftToLibraries(deep []*pointsto.Node) Assumption {
	var names []string
	for _, n := range deep {
		names = append(names, n.Func.String())
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	return Assumption{Kind: libraryMemory, Text: "what functions of libraries do to memory that the fields lead to, " +
		"beyond what a field holds itself, is left to them: " + someOf(names)}
}

const libraryMemory = "library memory"

// leftApart is what a safe verdict rests on where what guards itself is left out.
func leftApart(types []string) Assumption {
	return Assumption{Kind: libraryMemory, Text: "objects with locks of their own, of atomic fields, or of types " +
		"that the package does not know, to which the fields lead are left to themselves: " + someOf(types)}
}

// someOf names the first ones.
func someOf(names []string) string {
	const shown = 3
	some := strings.Join(names[:min(shown, len(names))], ", ")
	if len(names) > shown {
		some += fmt.Sprintf(" and %d more", len(names)-shown)
	}
	return some
}

// nextModel lets the next try use a model with more detail, if the answer leaves something open and that is one
// with less. It reports whether that is so. What only rests on an assumption waits until all else has its turn.
func (q *asking) nextModel() bool {
	isOpen := slices.ContainsFunc(q.answer.Scenarios, func(s ScenarioResult) bool { return s.Verdict == VerdictUnknown })
	if !q.done || q.model == nil || q.model.detail == full || !isOpen && !q.model.leavesApart() {
		return false
	}
	q.detail = q.model.detail
	if q.asksCycles() {
		q.askCycles()
		return true
	}
	if shared := q.analysis.runner.budget != nil; !isOpen && shared && q.analysis.runner.turn != forCertainty {
		q.isResting, q.done, q.rested = true, false, len(q.tries)+1
		return false
	}
	q.useMoreDetail()
	return true
}

// useMoreDetail makes the next model one with more detail.
func (q *asking) useMoreDetail() {
	first := q.answer
	next := q.nextRefinement()
	if q.refined = next; next == nil {
		q.detail++
	}
	q.first, q.model, q.isModelled, q.isSearched, q.done = &first, nil, false, false, false
	q.searches, q.passed = 0, 0
}

// leavesApart tells whether the model leaves out something that guards itself.
func (m *model) leavesApart() bool { return m.shallow && len(m.stars.TypesApart()) > 0 }

// keepFirst fills in what models with less detail have decided, and this one has not.
func (q *asking) keepFirst() {
	if q.first == nil {
		return
	}
	now := &q.answer
	if len(now.Assumptions) == 0 || slices.ContainsFunc(now.Assumptions, isRaceOpen) {
		now.DataRace, now.Race, now.Races = q.first.DataRace, q.first.Race, q.first.Races
	}
	isAnswered, rests := false, false
	for _, f := range q.first.Scenarios {
		s := now.of(f.Scenario)
		isKnown := s.Verdict == VerdictSafe || s.Verdict == VerdictViolation
		isAnswered, rests = isAnswered || isKnown, rests || !isKnown && f.Verdict == VerdictSafe
	}
	now.Scenarios = merged(q.first.Scenarios, now.Scenarios)
	if rests {
		both := slices.Clone(q.first.RestsOn)
		for _, name := range now.RestsOn {
			if !slices.Contains(both, name) {
				both = append(both, name)
			}
		}
		now.RestsOn = both
	}
	if now.Verdict = now.ofScenarios(); now.Verdict != VerdictUnknown {
		now.Reason = ""
	}
	isOfLibraries := func(a Assumption) bool { return a.Kind == libraryMemory }
	if len(now.Assumptions) > 0 && rests && !slices.ContainsFunc(now.Assumptions, isOfLibraries) {
		now.Assumptions = slices.Clip(now.Assumptions)
		for _, a := range q.first.Assumptions {
			if isOfLibraries(a) {
				now.Assumptions = append(now.Assumptions, a)
			}
		}
	}
	if len(now.Assumptions) == 0 && !isAnswered { // there is no other model
		now.Assumptions, now.RestsOn, now.SwitchedOff, now.Model = q.first.Assumptions, q.first.RestsOn,
			q.first.SwitchedOff, q.first.Model
	}
}

// merged returns what was known of scenarios with what is known of some of them now: of what is open, why it is so in
// the latest outline.
func merged(before, now []ScenarioResult) []ScenarioResult {
	all := slices.Clone(before)
	for i, f := range all {
		for _, s := range now {
			isLater := f.Verdict == VerdictUnknown && (isVague(s) || !isVague(f))
			if s.Scenario == f.Scenario && (s.Verdict != VerdictUnknown || isLater) {
				all[i] = s
			}
		}
	}
	return all
}

func isRaceOpen(a Assumption) bool { return a.Kind == "data race" }

// checked looks for violations in a variant of a model. What hangs on code that is not followed is not
// known: what stands for it is returned, by scenario.
func checked(ctx context.Context, p *esl.Program, m *lower.Result, options checker.Options) (
	*checker.Result, map[int][]loosePart, error) {
	if len(m.Loose) > 0 {
		options.Avoid = func(at esl.Place) bool { return looseAt(p, m, at) != "" }
	}
	options.Prove = proofsBySketch(p, options)
	found, err := checker.Check(ctx, p, options)
	if err != nil {
		return nil, nil, err
	}
	sure, loose := trusted(p, m, found)
	return sure, loose, nil
}

// isOrdered returns what tells whether an outline of the program keeps the order of what a function does: if it may
// be a unit of work whatever it accesses itself, or was made for the analysis.
func (a *analysis) isOrdered() func(*ssa.Function) bool {
	methods := a.subject.Methods()
	return func(fn *ssa.Function) bool {
		o, _ := fn.Object().(*types.Func)
		return o != nil && methods[o.Origin()] || !fn.Pos().IsValid() || a.program.IsGenerated(fn.Pos()) || a.isNamedUnit(fn)
	}
}

// anyGoroutine stands for goroutines in an outline.
const anyGoroutine = "any goroutine"

// withOneProcess returns an outline in which one process stands for all goroutines that there may be several of.
func withOneProcess(m *lower.Result) *lower.Result {
	outlined := *m
	if outlined.Program = simplify.OneForAll(m.Program, anyGoroutine); outlined.Program != m.Program {
		outlined.GoFunctions = append(slices.Clip(m.GoFunctions), anyGoroutine)
		outlined.Loose = maps.Clone(m.Loose)
		outlined.Loose[anyGoroutine] = nil
	}
	return &outlined
}
