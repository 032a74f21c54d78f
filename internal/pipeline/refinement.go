package pipeline

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/scenarios"
)

// A run of an outline that hangs on code which is not followed may be none of the program's. Few functions have a part
// in it: in the next outline these are followed, and so on (counterexample-guided abstraction refinement). What is safe
// in one of them is safe, and a run without anything that is not followed is one of the program's; both may be so long
// before all is followed that the program has.

// refinement says what is followed in an outline beyond what the first one follows. The methods of nil say: nothing.
type refinement struct {
	functions  map[*ssa.Function]bool
	goroutines bool // no process stands for others
	times      int
}

// maxRefinements is how many outlines there are of a query after the first one; maxPaths in how many of these only
// paths are followed.
const maxRefinements, maxPaths = 8, 6

func (r *refinement) follow() map[*ssa.Function]bool {
	if r == nil {
		return nil
	}
	return r.functions
}

func (r *refinement) tellsGoroutines() bool { return r != nil && r.goroutines }

// with returns the refinement in which what stands for code that is not followed in a model is followed, too, as far
// as runs have led through it: of a run that begins or ends in it, and in the last refinements, all that it stands for.
// nil: there is no other one.
func (r *refinement) with(m *model, loose []loosePart) *refinement {
	next := &refinement{functions: maps.Clone(r.follow()), goroutines: r.tellsGoroutines(), times: 1}
	if r != nil {
		next.times += r.times
	}
	if next.functions == nil {
		next.functions = map[*ssa.Function]bool{}
	}
	for _, part := range loose {
		before := len(next.functions)
		if next.times <= maxPaths {
			for _, n := range m.path(part) {
				next.functions[n.Func] = true
			}
		}
		if len(next.functions) == before {
			for _, fn := range m.lowered.Loose[part.name] {
				next.functions[fn] = true
			}
		}
		next.goroutines = next.goroutines || part.name == anyGoroutine
	}
	if len(next.functions) == len(r.follow()) && next.goroutines == r.tellsGoroutines() || next.times > maxRefinements {
		return nil
	}
	return next
}

// path returns a shortest path from where a run came to what is not followed to where it went on: the nodes in between,
// in the order of a breadth-first search. nil: it is not known.
func (m *model) path(part loosePart) (path []*pointsto.Node) {
	if part.to == "" {
		return nil
	}
	before := map[*pointsto.Node]*pointsto.Node{}
	work := slices.Clone(m.lowered.Entrances[lower.Entrance{From: part.from, Into: part.name}])
	for _, n := range work {
		before[n] = nil
	}
	calls := m.kept.Printing.During(context.Background()) // the stage that it is of has ended
	for ; len(work) > 0; work = work[1:] {
		for e := range calls.Calls(work[0]) {
			_, isSeen := before[e.Callee]
			switch isKept := m.kept.Kept[e.Callee]; {
			case isKept && e.Callee.Func.String() == part.to:
				for n := work[0]; n != nil; n = before[n] {
					path = append(path, n)
				}
				return path
			case !isKept && !isSeen:
				before[e.Callee] = work[0]
				work = append(work, e.Callee)
			}
		}
	}
	return nil
}

// asked returns the analysis with the scenarios that an outline is asked about: those that are open, and that more
// detail may decide. Conflict cycles come when these have their answers, with the scenarios that may explain them: to
// prove that there are none costs most.
func (q *asking) asked() *analysis {
	if !q.isInParts() {
		return q.analysis
	}
	a := *q.analysis
	a.request.Scenarios = nil
	for _, s := range q.analysis.request.Scenarios {
		isCycle, before := s.Number == scenarios.ConflictCycle, ScenarioResult{Verdict: VerdictUnknown, Reason: vaguely}
		if q.first != nil {
			before = q.first.of(s.Number)
		}
		if q.cycles && before.Verdict == VerdictSafe {
			a.safe = append(a.safe, s.Number)
		}
		if q.cycles && (isCycle || before.Verdict != VerdictSafe) || !q.cycles && !isCycle && isVague(before) {
			a.request.Scenarios = append(a.request.Scenarios, s)
		}
	}
	if len(a.request.Scenarios) == 0 {
		return q.analysis
	}
	return &a
}

// isInParts tells whether an outline is not asked about everything at once.
func (q *asking) isInParts() bool {
	return q.model != nil && q.model.detail == outline && len(q.model.lowered.Loose) > 0 &&
		len(q.analysis.request.Scenarios) > 1
}

// of returns what is known of a scenario.
func (r *QueryResult) of(scenario int) ScenarioResult {
	k := slices.IndexFunc(r.Scenarios, func(s ScenarioResult) bool { return s.Scenario == scenario })
	if k < 0 {
		return ScenarioResult{}
	}
	return r.Scenarios[k]
}

// asksCycles tells whether the outline is to be asked about conflict cycles, as no other one follows.
func (q *asking) asksCycles() bool {
	return !q.cycles && q.isInParts() && q.answer.of(scenarios.ConflictCycle).Verdict == VerdictUnknown &&
		q.nextRefinement() == nil
}

// askCycles lets the outline be asked about conflict cycles.
func (q *asking) askCycles() {
	first := q.answer
	q.first, q.cycles, q.isSearched, q.done, q.searches, q.passed = &first, true, false, false, 0, 0
}

// hasNextOutline tells whether there is more to ask of outlines.
func (q *asking) hasNextOutline() bool {
	return q.nextRefinement() != nil || q.asksCycles()
}

// nextRefinement returns what an outline follows in which what has a part in what is open is followed; nil: there is
// no other one.
func (q *asking) nextRefinement() *refinement {
	switch {
	case q.model == nil || q.model.detail != outline:
		return nil
	case !q.isNextKnown: // it takes searches in the call graph
		var loose []loosePart
		for _, s := range q.answer.Scenarios {
			if s.Verdict == VerdictUnknown {
				loose = append(loose, s.Loose...)
			}
		}
		q.next, q.isNextKnown = q.refined.with(q.model, loose), true
	}
	return q.next
}
