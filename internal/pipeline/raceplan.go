package pipeline

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/shared"
	"github.com/empire-go/empire-go/scenarios"
)

// Questions about data races are about all memory that goroutines share, in the place of atomic sets: each struct type
// with its fields, the variables of a package, and memory that a function makes, as a variable that a closure captures.
// The pipeline is the same. What is asked in the place of scenarios is whether two accesses can meet.

// asksAboutRaces tells whether the request is about data races alone.
func (r *Request) asksAboutRaces() bool {
	return len(r.Scenarios) == 1 && r.Scenarios[0].Number == scenarios.DataRaces.Number
}

// aboutRaces returns the request that asks about data races. Every access counts, whatever is done with what is read.
func (r Request) aboutRaces() Request {
	r.Classes, r.Blocking, r.Scenarios, r.Strict = nil, false, []scenarios.Scenario{scenarios.DataRaces}, true
	return r
}

// runClasses carries out a request about classes: about data races, and about what can be blocked. That one of the two
// has nothing to ask is no error.
func runClasses(ctx context.Context, r Request, program *load.Program, result *Result, stages *runner,
	programs func(Request) ([]harness.Entry, error)) error {
	rest := slices.DeleteFunc(slices.Clone(r.Classes), func(name string) bool { return name == scenarios.DataRaceClass })
	if len(rest) < len(r.Classes) {
		err := runRaces(ctx, r.aboutRaces(), program, stages, result, programs)
		if err != nil && !(isNothing(err) && len(rest) > 0) || len(rest) == 0 {
			return err
		}
	}
	r.Classes = rest
	err := runBlocking(ctx, r, program, result, stages, func() ([]harness.Entry, error) { return programs(r) })
	if isNothing(err) && len(result.Queries) > 0 {
		err = nil
	}
	return err
}

// runRaces adds the answers to a request about data races to the result: in what it names, or in all that goroutines of
// the programs share.
func runRaces(ctx context.Context, r Request, program *load.Program, stages *runner, result *Result,
	programs func(Request) ([]harness.Entry, error)) error {
	all, err := programs(r)
	if err != nil {
		return err
	}
	if !r.namesNothing() {
		return runEntries(ctx, r, all, result, stages)
	}
	turn := program.Adding() // for trials
	turn.Lock()
	defer turn.Unlock()
	asked := &schedule{request: r, plan: planNamed(r), stages: stages}
	if err := asked.planRaces(ctx, all); err != nil {
		return err
	}
	one := &inquiry{request: r, entries: all, plan: asked.plan, asked: asked}
	return (&inquiries{request: r, stages: stages, all: []*inquiry{one}}).answer(ctx, result)
}

// planRaces finds out what the programs are asked about. Of one for which that takes more than its part of the work,
// nothing is known.
func (s *schedule) planRaces(ctx context.Context, all []harness.Entry) error {
	for i, e := range all {
		s.request.begins("finding out what goroutines of "+e.Name+" share", i, len(all))
		program := &asked{entry: e, first: i}
		reason, err := isWithin(ctx, s.request, s.stages, s.stages.planWork(s.request),
			func(limited context.Context) error {
				subjects, err := sharedBy(limited, s.request, e, all, s.stages)
				others := structTypes(e.Program)
				for _, subject := range subjects {
					subject.Others = others
					program.sets = append(program.sets, &askedSet{analysis: newAnalysis(s.request, e, subject, s.stages)})
				}
				return err
			})
		if err != nil {
			return err
		}
		if len(program.sets) == 0 { // that is the answer, or why there is none
			a := newAnalysis(s.request, e, &query.Subject{}, s.stages)
			q := s.unasked(a, reason)
			if q.done = true; reason == "" {
				q.answer.Verdict, q.answer.Scenarios[0].Verdict = VerdictSafe, VerdictSafe
			}
			program.sets = []*askedSet{{analysis: a, begun: true, queries: []*asking{q}}}
		}
		s.programs = append(s.programs, program)
	}
	return nil
}

// structTypes returns the struct types of the packages named: what a field or variable leads to is asked about by
// itself if it is of one of these.
func structTypes(program *load.Program) map[*types.TypeName]bool {
	all := map[*types.TypeName]bool{}
	for _, pkg := range program.Packages {
		for _, name := range pkg.Pkg.Scope().Names() {
			if t, ok := pkg.Pkg.Scope().Lookup(name).(*types.TypeName); ok {
				if _, isStruct := t.Type().Underlying().(*types.Struct); isStruct {
					all[t] = true
				}
			}
		}
	}
	return all
}

// sharedBy returns what goroutines of a program share. Clients share the objects that are made for that, and call what
// a package exports where one of its variables is a lock; of a type clients of its own answer for, if there are any
// among all programs.
func sharedBy(ctx context.Context, r Request, e harness.Entry, all []harness.Entry, stages *runner) (
	[]*query.Subject, error) {
	base, err := solve(ctx, r, stages, e)
	if err != nil {
		return nil, err
	}
	found, err := run(ctx, stages, "shared", func(ctx context.Context) ([]*query.Subject, error) {
		graph := base.Whole()
		return shared.Find(ctx, e.Program, graph, multiplicity.New(graph))
	})
	if err != nil || !e.IsLibrary() {
		return found, err
	}
	usage := query.UsageIn(e.Program)
	return slices.DeleteFunc(found, func(s *query.Subject) bool {
		switch {
		case s.Type != nil:
			isOf := func(other harness.Entry) bool { return isTypeOf(other, s.Name()) }
			return !usage.IsGuarded(s.Type) || !isOf(e) && slices.ContainsFunc(all, isOf)
		case s.Local != nil:
			return !query.IsVariable(s.Local) // what leads there is not evident
		}
		return !query.HasVariableLock(e.Program.With([]*ssa.Package{s.Vars[s.Fields[0]].Pkg}))
	}), nil
}

// concludeRaces takes the question about data races out of the scenarios of a complete answer: it has the verdict.
func (q *asking) concludeRaces() {
	answer := &q.answer
	if len(answer.Scenarios) != 1 || answer.Scenarios[0].Scenario != scenarios.DataRaces.Number {
		answer.Open = nil
		return
	}
	answer.Class = scenarios.DataRaceClass
	q.leaveToLibraries()
	answer.Races = withoutSameLines(answer.Races)
	if answer.Verdict == VerdictUnknown && answer.Reason == "" {
		answer.Reason = answer.Scenarios[0].Reason
	}
	if answer.Scenarios = []ScenarioResult{}; answer.Verdict != VerdictViolation {
		answer.Open = nil
	}
	answer.Assumptions = slices.DeleteFunc(answer.Assumptions, isRaceOpen)
}

// leaveToLibraries takes out the races that no run has shown and that have an access by a function of a library: what
// these get at is known roughly. Whether there is one is open then.
func (q *asking) leaveToLibraries() {
	answer, isOwn := &q.answer, func(s Step) bool { return isOfModules(q.analysis.program, s.Function) }
	var left []Race
	answer.Races = slices.DeleteFunc(answer.Races, func(r Race) bool {
		isLeft := r.Level != "error" && !(isOwn(r.Accesses[0]) && isOwn(r.Accesses[1]))
		if isLeft {
			left = append(left, r)
		}
		return isLeft
	})
	if len(left) == 0 {
		return
	}
	if len(answer.Races) > 0 {
		answer.Race = answer.Races[0].Accesses
		return
	}
	a, b := left[0].Accesses[0], left[0].Accesses[1]
	answer.DataRace, answer.Race, answer.Verdict = false, nil, VerdictUnknown
	answer.Reason = fmt.Sprintf("what libraries do may race: %s of %s in %s and %s in %s; no run was found that shows it",
		a.Action, a.Location, a.Function, b.Action, b.Function)
}

// withoutSameLines returns the first of the races between accesses on the same lines: x++ reads and writes.
func withoutSameLines(all []Race) (kept []Race) {
	for _, r := range all {
		if !slices.ContainsFunc(kept, func(k Race) bool { return isSameRace(k.Accesses, r.Accesses) }) {
			kept = append(kept, r)
		}
	}
	return kept
}

// isOfModules tells whether a function, by its full name, is of the modules that are looked at.
func isOfModules(program *load.Program, function string) bool {
	name := strings.TrimLeft(function, "(*")
	return slices.ContainsFunc(program.ModulePaths(), func(path string) bool {
		rest, ok := strings.CutPrefix(name, path)
		return ok && rest != "" && strings.ContainsAny(rest[:1], "./")
	})
}
