package pipeline

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/simplify"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/printing"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/races"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// analysis is the stages of the front end that all sites of one type share.
type analysis struct {
	request Request
	entry   harness.Entry
	program *load.Program
	subject *query.Subject
	base    *pointsto.Base // that the graph refines
	graph   *pointsto.Result
	often   *multiplicity.Analysis
	prints  *printing.Calls // of the graph
	unitFor isolate.UnitForPolicy
	runner  *runner
	waited  time.Duration // of the last query: for its turn
	turns   sync.Locker   // held in the stages up to lowering: what they share is not for two queries at once
	slice   *slice        // nil until it is known
	safe    []int         // scenarios that are known to be safe: see checker.Options.Safe
	limit   *limitError   // that was passed before there was a graph; nil if there is one

	generation int // of the runner, see runner.leave

	certain    []races.Race                // see certainRaces
	locking    map[string]races.Discipline // by the fields, see lookAtLocks
	hasCertain bool                        // that has been looked at

	depths map[depthOf]depth // of the models that were made
}

// model is the stages of the front end for one site.
type model struct {
	stars   *isolate.Isolation
	kept    *reduce.Reduction
	coarse  map[*pointsto.Node]bool // the functions that are not followed; nil: all are
	detail  detail
	shallow bool        // see package reduce, Options.Shallow
	refined *refinement // nil: none but those that the detail says are followed
	lowered *lower.Result
	during  context.Context // under which stars and kept answer questions
}

// depth says how a model of little detail is made.
type depth int

const (
	isWhole       depth = iota // or it is not known
	isDeepModel                // it is shallow, as the whole one would be deep: see isDeep
	isDeepOutline              // so is the outline
)

// depthOf is what the depth of a model depends on.
type depthOf struct {
	memory ssa.Value
	path   string
	call   ssa.CallInstruction
	others int
	detail detail
	more   *refinement
}

// analyses returns an analysis for each atomic set of the plan that the program can answer
// for.
func analyses(ctx context.Context, r Request, entry harness.Entry, p *plan, stages *runner) ([]*analysis, error) {
	subjects, err := p.subjects(entry)
	if err != nil {
		return nil, err
	}
	var all []*analysis
	for _, s := range subjects {
		a := newAnalysis(r, entry, s, stages)
		if err := a.begin(ctx, stages.stageWork(r)); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// newAnalysis returns the analysis of a program for one set, before it has begun.
func newAnalysis(r Request, entry harness.Entry, s *query.Subject, stages *runner) *analysis {
	return &analysis{request: r, entry: entry, program: entry.Program, subject: s,
		unitFor: unitForPolicy(r, s, entry.Program), runner: stages, turns: &stages.turns}
}

// begin solves and refines the program, within the limits of a query and so much work.
func (a *analysis) begin(ctx context.Context, work limit.Work) error {
	a.limit = nil
	limited, release := a.runner.within(ctx, a.request, work)
	defer release()
	err := a.analyse(limited)
	if errors.As(err, &a.limit) {
		return nil
	}
	return err
}

// analyse solves and refines the program.
func (a *analysis) analyse(limited context.Context) error {
	a.generation = a.runner.generation()
	base, err := solve(limited, a.request, a.runner, a.entry)
	if err != nil {
		return err
	}
	return a.refine(limited, base)
}

// solve returns the points-to solution of a whole program, the same for all requests
// about it; or of several programs, as if they ran together. The context has the limits.
func solve(ctx context.Context, r Request, stages *runner, entries ...harness.Entry) (*pointsto.Base, error) {
	if len(entries) == 1 {
		if base := stages.baseOf(entries[0].Main); base != nil {
			return base, nil
		}
	}
	generation := stages.generation()
	concurrent, err := knowledge.NewTable(r.Concurrent)
	if err != nil {
		return nil, inputErrorf("concurrent", "%s", err)
	}
	var roots []*ssa.Function
	for _, e := range entries {
		roots = append(roots, e.Roots()...)
	}
	base, err := run(ctx, stages, "base", func(ctx context.Context) (*pointsto.Base, error) {
		return pointsto.Solve(ctx, pointsto.Config{Program: entries[0].Program.SSA, Roots: roots, Concurrent: concurrent})
	})
	if err == nil && len(entries) == 1 && generation == stages.generation() {
		stages.solved.main, stages.solved.base = entries[0].Main, base
	}
	return base, err
}

// refine computes the call graph and points-to sets that the queries about the subject
// need.
func (a *analysis) refine(ctx context.Context, base *pointsto.Base) error {
	graph, err := run(ctx, a.runner, "refine", func(ctx context.Context) (*pointsto.Result, error) {
		return base.Refine(ctx, pointsto.Sensitivity{
			Receiver: func(fn *ssa.Function) bool { return isMethodOfSetTypes(a.subject, fn) },
			CallSite: func(fn *ssa.Function) bool {
				return a.subject.IsConstructor(fn) || a.subject.IsPartMaker(fn) || a.subject.MakesLock(fn) ||
					knowledge.IsWrapperOfCallback(fn)
			},
			Subject: a.subject.Is,
		})
	})
	if err != nil {
		return err
	}
	a.base, a.graph, a.often, a.prints = base, graph, multiplicity.New(graph), printing.New(graph)
	return nil
}

// forget drops what can be found out again.
func (a *analysis) forget() { a.base, a.graph, a.often, a.prints = nil, nil, nil, nil }

// isMethodOfSetTypes tells whether fn is a method of the checked type, or of the
// type of one of the fields of the set: those are analysed once per receiver
// object (Empire report, section 5.1).
func isMethodOfSetTypes(s *query.Subject, fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	return recv != nil && (s.IsSelfOrPointer(recv.Type()) || s.IsFieldType(recv.Type()))
}

// unitForPolicy returns the policy of the request: by default the parameters of
// the checked type, pointers to it, and interfaces of the main module that it
// implements.
func unitForPolicy(r Request, s *query.Subject, program *load.Program) isolate.UnitForPolicy {
	return func(fn *ssa.Function, p *ssa.Parameter) bool {
		if named, ok := query.UnitForDirective(fn); ok {
			return named[p.Name()]
		}
		switch r.UnitFor {
		case "none", "annotated":
			return false
		case "all":
			// Objects of other types have none of the set's fields.
			return s.IsUnitForType(program, p.Type()) || types.IsInterface(p.Type())
		}
		return s.IsUnitForType(program, p.Type())
	}
}

// own returns what tells whether the user may want to see a function in counterexamples,
// or whether it may be a unit of work for more than what it does itself: those of the main
// module, those beside the checked type, and its promoted methods.
func (a *analysis) own() func(*ssa.Function) bool {
	methods := a.subject.Methods()
	return func(fn *ssa.Function) bool {
		outer := knowledge.Outermost(fn)
		if o, ok := outer.Object().(*types.Func); ok &&
			(methods[o.Origin()] || a.subject.Type != nil && o.Pkg() == a.subject.Type.Obj().Pkg()) {
			return true
		}
		if fn.Synthetic == "package initializer" {
			return fn.Pkg == nil || a.program.InModule(fn.Pkg.Pkg.Path())
		}
		if recv := fn.Signature.Recv(); recv != nil && !fn.Pos().IsValid() { // a promoted method of an interface, as Error
			t := types.Unalias(recv.Type())
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
				return a.program.InModule(named.Obj().Pkg().Path())
			}
		}
		return !fn.Pos().IsValid() || a.program.Position(fn.Pos()).InModule() || a.program.IsGenerated(fn.Pos()) ||
			a.isNamedUnit(fn)
	}
}

// isNamedUnit tells whether the user says that a function is a unit of work.
func (a *analysis) isNamedUnit(fn *ssa.Function) bool {
	return modref.UnitDirective(fn) == "unit" ||
		slices.ContainsFunc(a.request.UnitFuncs, func(name string) bool { return modref.IsNamed(fn, name) })
}

// model isolates, reduces and lowers for one site, and simplifies the model. With an error
// it has the stages that came to their ends. The detail is what is asked for where there is much code of
// libraries; else the model has all.
func (a *analysis) model(ctx context.Context, site query.Site, detail detail, more *refinement) (model, error) {
	m, err := a.reducedTo(ctx, site, detail, more)
	if err != nil {
		return m, err
	}
	if m.detail != full {
		m.coarse = coarseOf(m.kept)
	}
	small, err := a.lower(ctx, m)
	if err != nil {
		return m, err
	}
	m.lowered = small
	m.lowered.Program.Name = fmt.Sprintf("%s {%s} at %s", a.subject.Name(), strings.Join(a.subject.Fields, ", "), site)
	return m, nil
}

// reducedTo is the stages before lowering, for a model with the detail. Whether the first models are shallow is found
// out once: it takes more than to make one.
func (a *analysis) reducedTo(ctx context.Context, site query.Site, detail detail, more *refinement) (model, error) {
	of := depthOf{site.Memory, site.Path, site.Call, len(site.Others), detail, more}
	switch a.depths[of] {
	case isDeepOutline:
		return a.reduced(ctx, site, outline, true, more)
	case isDeepModel:
		return a.reduced(ctx, site, shallow, true, nil)
	}
	m, err := a.reduced(ctx, site, detail, false, more)
	if err != nil {
		return m, err
	}
	switch isOutline := detail == outline && (m.kept.IsLarge() || m.kept.OnApart >= manyApart); {
	case detail <= shallow && isDeep(m.kept):
		if a.depths == nil {
			a.depths = map[depthOf]depth{}
		}
		if a.depths[of] = isDeepModel; isOutline {
			a.depths[of] = isDeepOutline
		}
		return a.reducedTo(ctx, site, detail, more)
	case isOutline: // it is that
	case coarseOf(m.kept) != nil:
		m.detail = detail
	default:
		m.detail = full
	}
	return m, nil
}

// lower lowers what is kept, and simplifies it, unless it would be in vain.
func (a *analysis) lower(ctx context.Context, m model) (*lower.Result, error) {
	like := a.triedLike(ctx, m)
	if a.runner.tooLarge.has(like, m) {
		return nil, &limitError{limit.ErrBudget, "lower"}
	}
	full, err := run(ctx, a.runner, "lower", func(ctx context.Context) (*lower.Result, error) {
		return lower.Lower(ctx, a.lowering(m))
	})
	if err != nil {
		a.runner.tooLarge.note(like, m, err)
		return nil, err
	}
	return run(ctx, a.runner, "simplify", func(ctx context.Context) (*lower.Result, error) {
		small, err := simplified(ctx, full)
		if err != nil || m.detail != outline || m.refined.tellsGoroutines() {
			return small, err
		}
		return simplified(ctx, withOneProcess(small))
	})
}

// modelAsLowered is model without simplification, in which all is followed.
func (a *analysis) modelAsLowered(ctx context.Context, site query.Site) (model, error) {
	m, err := a.reduced(ctx, site, full, false, nil)
	if err != nil {
		return m, err
	}
	m.lowered, err = run(ctx, a.runner, "lower", func(ctx context.Context) (*lower.Result, error) {
		return lower.Lower(ctx, a.lowering(m))
	})
	return m, err
}

// reduced is the stages before lowering.
func (a *analysis) reduced(ctx context.Context, site query.Site, detail detail, isShallow bool, more *refinement) (
	model, error) {
	stars, err := run(ctx, a.runner, "isolate", func(ctx context.Context) (*isolate.Isolation, error) {
		return isolate.Isolate(ctx, a.program, a.graph, a.often, a.subject, site, a.unitFor)
	})
	if err != nil {
		return model{}, asInputError(err)
	}
	if isShallow {
		stars.LeaveApart()
	}
	kept, err := run(ctx, a.runner, "reduce", func(ctx context.Context) (*reduce.Reduction, error) {
		o := reduce.Options{MergeLocks: a.request.Locks == "empire", Own: a.own(), Unit: a.isNamedUnit,
			Shallow: isShallow, Printing: a.prints, Follow: more.follow(),
			Passages: a.request.outlines && detail == outline}
		if detail == outline {
			o.Outline = a.isOrdered()
		}
		if detail <= shallow && !isShallow {
			o.Apart = manyApart
		}
		if a.entry.IsLibrary() {
			o.Clients = func(fn *ssa.Function) bool { return a.program.IsGenerated(fn.Pos()) }
		}
		return reduce.Reduce(ctx, a.graph, a.often, stars, o)
	})
	if err != nil {
		return model{stars: stars}, err
	}
	return model{stars: stars, kept: kept, detail: detail, shallow: isShallow, refined: more, during: ctx}, nil
}

// renewed returns the model for lowering it again, when it may be of an earlier try.
func (a *analysis) renewed(ctx context.Context, m model, site query.Site) (model, error) {
	if m.during.Err() == nil {
		return m, nil
	}
	again, err := a.reduced(ctx, site, m.detail, m.shallow, m.refined)
	again.coarse, again.lowered = m.coarse, m.lowered
	return again, err
}

// lowering is what lowering needs to know.
func (a *analysis) lowering(m model) lower.Config {
	return lower.Config{
		Program: a.program, Graph: a.graph, Multiplicity: a.often, Stars: m.stars, Kept: m.kept, Coarse: m.coarse,
		Units: modref.UnitPolicy{Exported: a.request.Units == "exported", Annotated: a.request.Units == "annotated",
			Named: a.request.UnitFuncs},
		UnitFor: a.unitFor, Strict: a.request.Strict, Races: a.request.asksAboutRaces(), Copies: a.request.Copies,
	}
}

// simplified returns a smaller model: clones of one Go function may become one, and what clients are made of.
func simplified(ctx context.Context, m *lower.Result) (*lower.Result, error) {
	clones := m.GoFunctions
	program, origin, err := simplify.Program(ctx, m.Program, func(f int) string { return kindOf(clones[f]) })
	if err != nil {
		return nil, err
	}
	small := &lower.Result{Program: program, Assumptions: m.Assumptions, Rules: m.Rules, Memory: m.Memory,
		Keys:    m.Keys,
		Inlined: m.Inlined, Removals: m.Removals, Loose: m.Loose, Entrances: m.Entrances,
		Busy: m.Busy, PassesLocks: m.PassesLocks}
	for _, f := range origin {
		small.GoFunctions = append(small.GoFunctions, clones[f])
	}
	for i := range program.Processes[1:] {
		program.Processes[i+1].Name = fmt.Sprintf("g%d", i+1)
	}
	return small, nil
}

// kindOf returns what functions of a model have in common that may become one: they are clones of one function, or of
// those that a client was written with, which nobody reads.
func kindOf(clone string) string {
	if strings.HasPrefix(clone, knowledge.ClientPath+".") {
		return knowledge.ClientPath
	}
	return clone
}

// queryName identifies the query in the IDs of violations, without lines.
func (a *analysis) queryName(site query.Site) string {
	return fmt.Sprintf("%s {%s} in %s", a.subject.Name(), strings.Join(a.subject.Fields, ", "), siteFunction(site))
}

// addSizes adds the sizes that reduction has found.
func (m model) addSizes(q *QueryResult) {
	if m.kept != nil {
		q.Model.CallGraphNodes, q.Model.Instructions = m.kept.Nodes, m.kept.Instructions
		q.Model.KeptNodes, q.Model.KeptInstructions = m.kept.KeptNodes, m.kept.KeptInstructions
	}
}

// unknown is the answer to a query whose limits ran out before there was a model.
func (a *analysis) unknown(site query.Site, reason string) QueryResult {
	q := unknown(a.request, reason)
	q.Entry, q.Type, q.Fields = a.entry.Name, a.subject.Name(), a.subject.Fields
	q.Site, q.Sites = site.String(), site.Places
	return q
}

// unknown is the answer to a request whose limits ran out before it was known what the
// queries are.
func unknown(r Request, reason string) QueryResult {
	q := QueryResult{
		Type: r.Type, Fields: append(slices.Clone(r.Fields), r.Vars...), Site: r.Site,
		Verdict: VerdictUnknown, Reason: reason, Assumptions: []Assumption{}, Scenarios: []ScenarioResult{},
	}
	for _, s := range r.Scenarios {
		q.Scenarios = append(q.Scenarios, ScenarioResult{
			Scenario: s.Number, Name: s.Name, Class: s.Class(), Verdict: VerdictUnknown, Reason: reason})
	}
	return q
}

// startsElsewhere tells whether other statements than the one that a process is named after start it.
func startsElsewhere(p *esl.Program, process int) bool {
	return slices.ContainsFunc(p.Functions, func(f esl.Function) bool {
		return slices.ContainsFunc(f.Body, func(s esl.Stmt) bool {
			return s.Op == esl.Start && s.Arg == process && s.Pos != p.Processes[process].Pos
		})
	})
}

// assumptions lists what the verdict relies on.
func (a *analysis) assumptions(m model) []Assumption {
	var all []Assumption
	for _, as := range m.lowered.Assumptions {
		all = append(all, Assumption{as.Kind, as.Pos.String(), as.Text})
	}
	for i, p := range m.lowered.Program.Processes {
		switch {
		case p.Copies > 1 && p.Pos.InModule():
			elsewhere := ""
			if startsElsewhere(m.lowered.Program, i) {
				elsewhere = ", and of those alike in other places,"
			}
			all = append(all, Assumption{"copies", p.Pos.String(),
				fmt.Sprintf("of the goroutines started here%s %d are modelled", elsewhere, p.Copies)})
		case p.Copies > 1:
			all = append(all, Assumption{"copies", "", fmt.Sprintf("of the goroutines %s that a library function starts %d "+
				"are modelled", p.Name, p.Copies)})
		}
	}
	for _, limit := range a.entry.Limits {
		all = append(all, Assumption{"clients", "", limit})
	}
	for _, what := range a.entry.Program.Stated() {
		all = append(all, Assumption{"stated", "", what})
	}
	if len(m.kept.Deep) > 0 {
		all = append(all, leftToLibraries(m.kept.Deep))
	}
	if m.leavesApart() {
		all = append(all, leftApart(m.stars.TypesApart()))
	}
	all = append(all, a.holes()...)
	if m.stars.Truncated {
		all = append(all, Assumption{"unitfor", "", "more objects are handed to units of work than are watched"})
	}
	return all
}

// partialPatterns returns the numbers of the patterns asked for if they are not
// all of the scenario's.
func partialPatterns(s scenarios.Scenario) []int {
	whole, ok := scenarios.ByNumber(s.Number)
	if !ok || len(whole.Patterns) == len(s.Patterns) {
		return nil
	}
	var numbers []int
	for _, p := range s.Patterns {
		numbers = append(numbers, p.Number)
	}
	return numbers
}
