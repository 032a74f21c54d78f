package pipeline

import (
	"cmp"
	"context"
	"errors"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/frontend/candidates"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/query"
)

// Watch returns what a run of the programs that a request is about is to be watched for:
// the atomic sets that it names, or that Candidates finds, the code that is a unit of
// work on them, and what the models of all queries say about positions of the source, as far as
// there is time for those: the best sets come first, and the plan says of which sets nothing is
// known. Its errors are those of Run.
func (s *Session) Watch(ctx context.Context, r Request) (*watch.Plan, error) {
	w, err := s.watch(ctx, r)
	if err != nil {
		return nil, err
	}
	return w.plan, nil
}

// watch makes a plan of what to watch.
func (s *Session) watch(ctx context.Context, r Request) (*watcher, error) {
	r, entries, err := s.resolve(ctx, r)
	if err != nil {
		return nil, err
	}
	stages := &runner{engines: s.engines}
	chosen, err := planFor(ctx, r, entries, stages)
	var nothing *nothingError
	if errors.As(err, &nothing) && r.Type == "" {
		return nil, &NothingError{nothing.asInput()}
	}
	if err != nil {
		return nil, asInputError(err)
	}
	w := &watcher{request: r, plan: &watch.Plan{
		Schema: watch.Schema, Module: s.program.Module, Policy: watchPolicy(r), Functions: []watch.Function{},
		Loops: []watch.Loop{}}}
	for i, set := range chosen.sets {
		if err := w.add(entries, set, evidenceOf(chosen, i)); err != nil {
			return nil, err
		}
	}
	if err := w.addFacts(ctx, r, entries, chosen, stages); err != nil {
		return nil, err
	}
	w.sort()
	return w, nil
}

// watchPolicy returns the choices of a request that a run is watched by.
func watchPolicy(r Request) watch.Policy {
	p := watch.Policy{Units: r.Units, UnitFuncs: r.UnitFuncs, UnitFor: r.UnitFor, Strict: r.Strict}
	whole := true
	for _, s := range r.Scenarios {
		p.Scenarios = append(p.Scenarios, s.Number)
		p.Patterns = append(p.Patterns, partialPatterns(s)...)
		whole = whole && partialPatterns(s) == nil
	}
	if whole && len(r.Scenarios) == 12 {
		p.Scenarios = nil
	}
	return p
}

// evidenceOf returns the candidate that a set of the plan is, nil if the set was named.
func evidenceOf(p *plan, i int) *candidates.Candidate {
	if p.found == nil || i >= len(p.found.Candidates) {
		return nil
	}
	return &p.found.Candidates[i]
}

// watcher makes a plan of what to watch.
type watcher struct {
	request  Request
	plan     *watch.Plan
	isRushed bool // facts are missing for want of time or memory
}

// add adds a set, with the functions of each program that are units of work on it.
func (w *watcher) add(entries []harness.Entry, set atomicSet, evidence *candidates.Candidate) error {
	number := len(w.plan.Sets)
	var missing error
	for _, e := range entries {
		subject, err := resolveSet(e, set)
		if err != nil {
			missing = cmp.Or(missing, asInputError(err))
			continue
		}
		if len(w.plan.Sets) == number {
			w.plan.Sets = append(w.plan.Sets, watchedSet(e, subject, evidence))
		}
		w.functions(e, subject, number)
	}
	if len(w.plan.Sets) == number {
		return missing
	}
	return nil
}

// resolveSet finds a set in a program.
func resolveSet(e harness.Entry, set atomicSet) (*query.Subject, error) {
	if len(set.vars) > 0 {
		return query.ResolveVars(e.Program, set.vars)
	}
	return query.ResolveSubject(e.Program, set.typeName, set.fields)
}

func watchedSet(e harness.Entry, subject *query.Subject, evidence *candidates.Candidate) watch.Set {
	set := watch.Set{Type: subject.Name(), Fields: slices.Clone(subject.Fields)}
	if subject.Type == nil {
		for i, name := range set.Fields {
			set.Fields[i] = variablePath(subject, name)
			set.Vars = append(set.Vars, e.Program.Position(subject.Vars[name].Pos()).String())
		}
	}
	if evidence != nil {
		set.Guard, set.Shared = evidence.Guard, evidence.Shared
		for _, site := range evidence.Sites {
			if site.Shared {
				set.Sites = append(set.Sites, site.Site)
			}
		}
	}
	return set
}

// functions adds what the declared functions of a program are for a set.
func (w *watcher) functions(e harness.Entry, subject *query.Subject, set int) {
	policy := modref.UnitPolicy{Exported: w.request.Units == "exported", Annotated: w.request.Units == "annotated",
		Named: w.request.UnitFuncs}
	unitFor := unitForPolicy(w.request, subject, e.Program)
	methods := subject.Methods()
	for _, fn := range declaredFunctions(e, methods) {
		kind, within := watch.Direct, ""
		object, _ := fn.Object().(*types.Func)
		switch {
		case policy.Names(fn):
			kind = watch.Named
		case methods[object]:
			kind, within = watch.Method, embeddedAt(subject, object)
		case subject.IsConstructor(fn):
			kind = watch.Constructor
		}
		if !policy.Allows(fn, kind == watch.Direct) {
			kind = watch.None
		}
		f := watch.Function{Name: fn.String(), Pos: e.Program.Position(fn.Pos()).String(), Set: set, Kind: kind,
			Within: within}
		for i, p := range fn.Params {
			if kind != watch.None && (i > 0 || fn.Signature.Recv() == nil) && unitFor(fn, p) {
				f.UnitFor = append(f.UnitFor, p.Name())
			}
		}
		if kind == watch.None || kind != watch.Direct || len(f.UnitFor) > 0 {
			w.plan.Functions = append(w.plan.Functions, f)
		}
	}
}

// declaredFunctions returns the functions and methods that the packages of the main
// module declare, and the given methods, wherever they are declared.
func declaredFunctions(e harness.Entry, methods map[*types.Func]bool) []*ssa.Function {
	var all []*ssa.Function
	seen := map[*types.Func]bool{}
	add := func(f *types.Func) {
		if fn := e.Program.SSA.FuncValue(f); fn != nil && !seen[f] && fn.Pos().IsValid() {
			seen[f] = true
			all = append(all, fn)
		}
	}
	for _, pkg := range e.Program.Imported() {
		if !e.Program.InModule(pkg.Pkg.Path()) {
			continue
		}
		for _, name := range pkg.Pkg.Scope().Names() {
			switch o := pkg.Pkg.Scope().Lookup(name).(type) {
			case *types.Func:
				add(o)
			case *types.TypeName:
				if named, ok := o.Type().(*types.Named); ok {
					for m := range named.Methods() {
						add(m)
					}
				}
			}
		}
	}
	for m := range methods {
		add(m)
	}
	return all
}

// embeddedAt returns the field path at which the receiver of a promoted method is
// embedded in the subject; "" for its own methods.
func embeddedAt(subject *query.Subject, method *types.Func) string {
	_, index, _ := types.LookupFieldOrMethod(types.NewPointer(subject.Type), true, method.Pkg(), method.Name())
	var names []string
	t := types.Type(subject.Type)
	for _, i := range index[:max(len(index)-1, 0)] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		structure, ok := t.Underlying().(*types.Struct)
		if !ok {
			break
		}
		names = append(names, structure.Field(i).Name())
		t = structure.Field(i).Type()
	}
	return strings.Join(names, ".")
}

// sort puts the functions in the order of their positions, each once for a set.
func (w *watcher) sort() {
	compare := func(a, b watch.Function) int {
		return cmp.Or(strings.Compare(a.Pos, b.Pos), a.Set-b.Set, strings.Compare(a.Name, b.Name))
	}
	slices.SortFunc(w.plan.Functions, compare)
	w.plan.Functions = slices.CompactFunc(w.plan.Functions, func(a, b watch.Function) bool { return compare(a, b) == 0 })
	slices.SortFunc(w.plan.Loops, func(a, b watch.Loop) int { return cmp.Or(strings.Compare(a.Pos, b.Pos), a.Set-b.Set) })
}
