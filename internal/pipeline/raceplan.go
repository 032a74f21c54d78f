package pipeline

import (
	"context"
	"go/types"
	"slices"

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

// dataRace is the name of the class.
const dataRace = "data-race"

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
	rest := slices.DeleteFunc(slices.Clone(r.Classes), func(name string) bool { return name == dataRace })
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
				subjects, err := sharedBy(limited, s.request, e, s.stages)
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
// a package exports where one of its variables is a lock.
func sharedBy(ctx context.Context, r Request, e harness.Entry, stages *runner) ([]*query.Subject, error) {
	base, err := solve(ctx, r, stages, e)
	if err != nil {
		return nil, err
	}
	all, err := run(ctx, stages, "shared", func(ctx context.Context) ([]*query.Subject, error) {
		graph := base.Whole()
		return shared.Find(ctx, e.Program, graph, multiplicity.New(graph))
	})
	if err != nil || !e.IsLibrary() {
		return all, err
	}
	usage := query.UsageIn(e.Program)
	return slices.DeleteFunc(all, func(s *query.Subject) bool {
		switch {
		case s.Type != nil:
			return !usage.IsGuarded(s.Type)
		case s.Local != nil:
			return false
		}
		return !query.HasVariableLock(e.Program.With([]*ssa.Package{s.Vars[s.Fields[0]].Pkg}))
	}), nil
}

// concludeRaces takes the question about data races out of the scenarios of a complete answer: it has the verdict.
func (q *QueryResult) concludeRaces() {
	if len(q.Scenarios) != 1 || q.Scenarios[0].Scenario != scenarios.DataRaces.Number {
		q.Open = nil
		return
	}
	if q.Class = dataRace; q.Verdict == VerdictUnknown && q.Reason == "" {
		q.Reason = q.Scenarios[0].Reason
	}
	if q.Scenarios = []ScenarioResult{}; q.Verdict != VerdictViolation {
		q.Open = nil
	}
	q.Assumptions = slices.DeleteFunc(q.Assumptions, isRaceOpen)
}
