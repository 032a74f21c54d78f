package pipeline

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/candidates"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

// plan is the atomic sets that a request is about.
type plan struct {
	sets  []atomicSet       // the best first
	found *candidates.Found // what they come from; nil if the request names its set
	ranks map[string]int    // of the sets that programs can answer for, by what their answers are called

	graph        *pointsto.Result // of all programs; nil once it is known what they are asked
	instructions int              // in there

	// Of clients of a library: which types without clients of their own they answer for, by main package, and why
	// nothing answers for others.
	hosted   map[*ssa.Package][]string
	unhosted map[string]string
	unmade   map[string]string // why types with a lock have no clients
}

// atomicSet is the fields of a type, or package variables.
type atomicSet struct {
	typeName     string
	fields, vars []string
}

// planFor returns the set that the request names; or else those of the type that it names,
// or all candidates.
func planFor(ctx context.Context, r Request, all []harness.Entry, stages *runner) (*plan, error) {
	if len(r.Fields) > 0 || len(r.Vars) > 0 {
		return planNamed(r), nil
	}
	p, err := candidatesOf(ctx, r, all, stages)
	if err != nil {
		return nil, err
	}
	for _, c := range p.found.Candidates {
		if c.Type == "" {
			p.sets = append(p.sets, atomicSet{vars: c.Fields})
		} else {
			p.sets = append(p.sets, atomicSet{typeName: c.Type, fields: c.Fields})
		}
	}
	switch {
	case len(p.sets) > 0:
		return p, nil
	case r.Type != "":
		return nil, newNothing("--type "+r.Type, strings.Join(whyNot(p.found), "; "))
	}
	return nil, newNothing(strings.Join(r.Packages, " "), strings.Join(whyNot(p.found), "; "))
}

// planNamed is the plan of a request that names its set.
func planNamed(r Request) *plan { return &plan{sets: []atomicSet{{r.Type, r.Fields, r.Vars}}} }

// nothingError means that there is no candidate where the request looks.
type nothingError struct {
	what, why string
	isOpen    bool // what was asked about blocking is not known
}

func newNothing(what, why string) error { return &nothingError{what: what, why: why} }

// isNothing tells whether an error is that there is no candidate.
func isNothing(err error) bool {
	nothing := new(nothingError)
	return errors.As(err, &nothing)
}

func (e *nothingError) Error() string { return e.asInput().Error() }

// asInput returns the error as one of a request that has to check something.
func (e *nothingError) asInput() *InputError {
	text := "nothing to check: " + e.why +
		"; name a set with --type T --fields a,b or --vars pkg.a,pkg.b to check it all the same"
	if e.isOpen {
		text += "; whether goroutines can be blocked for ever is not known: --class all says why"
	}
	return &InputError{e.what, text}
}

// leftOut says which types with a lock, or which of their fields, a request that names
// none leaves out, and why.
func (p *plan) leftOut(r Request, programs []harness.Entry) []string {
	if p.found == nil || r.Type != "" {
		return nil
	}
	var all []string
	for _, l := range p.found.Left {
		if l.Part || l.Lock && !slices.ContainsFunc(programs, func(e harness.Entry) bool { return isTypeOf(e, l.Name) }) {
			why := l.Why
			if known := p.unmade[l.Name]; known != "" && !l.Part {
				why = known
			}
			all = append(all, fmt.Sprintf("%s: %s", l.Name[strings.LastIndex(l.Name, ".")+1:], why))
		}
	}
	return all
}

// candidatesOf finds the candidates in the programs: of the type asked for, or all.
func candidatesOf(ctx context.Context, r Request, all []harness.Entry, stages *runner) (*plan, error) {
	p := &plan{}
	c := candidates.Config{Clients: slices.ContainsFunc(all, func(e harness.Entry) bool { return len(e.Limits) > 0 })}
	if r.Type != "" {
		var err error
		if c.Types, err = typesNamed(r, all); err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(slices.Clone(all), func(e harness.Entry) bool {
			return e.Type != nil && !isOneOf(e.Type, c.Types)
		})
	}
	if len(all) == 0 {
		return nil, newNothing("--type "+r.Type, "no program uses it")
	}
	for _, e := range all {
		c.Programs = append(c.Programs, candidates.Program{
			Program: e.Program, Roots: e.Roots(), Type: e.Type, Also: e.UnderTest()})
	}
	limited, release := stages.within(ctx, r, stages.planWork(r))
	defer func() { release() }()
	base, err := solve(limited, r, stages, all...)
	if err != nil {
		return nil, err
	}
	generation := stages.generation()
	c.Graph, err = withContexts(limited, stages, base)
	if late := new(limitError); errors.As(err, &late) && ctx.Err() == nil && generation == stages.generation() {
		release()
		limited, release = stages.within(ctx, r, stages.planWork(r))
		c.Graph, err = base.Whole(), nil
	}
	if err != nil {
		return nil, err
	}
	p.graph = c.Graph
	for _, n := range p.graph.Nodes() {
		p.instructions += p.graph.Instructions(n)
	}
	p.found, err = run(limited, stages, "candidates", func(ctx context.Context) (*candidates.Found, error) {
		return candidates.Find(ctx, c)
	})
	return p, err
}

// forContexts is the part of the work for a plan that it may take to tell calls apart. Where it takes more, the plan
// does without: one that tells less apart is worth more than none.
const forContexts = 6

// withContexts tells apart the calls in a solution that candidates depend on.
func withContexts(ctx context.Context, stages *runner, base *pointsto.Base) (*pointsto.Result, error) {
	part, stop := limit.Part(ctx, forContexts)
	defer stop()
	return run(part, stages, "refine", func(ctx context.Context) (*pointsto.Result, error) {
		return base.Refine(ctx, pointsto.Sensitivity{CallSite: knowledge.IsWrapperOfCallback})
	})
}

// typesNamed returns the type asked for, as each program has it. It is an error if none
// has it.
func typesNamed(r Request, programs []harness.Entry) ([]*types.Named, error) {
	var all []*types.Named
	var missing error
	for _, e := range programs {
		s, err := query.ResolveSubject(e.Program, r.Type, nil)
		switch {
		case err == nil && !isOneOf(s.Type, all):
			all = append(all, s.Type)
		case err != nil && missing == nil:
			missing = asInputError(err)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return nil, missing
}

func isOneOf(t *types.Named, all []*types.Named) bool {
	return slices.ContainsFunc(all, func(other *types.Named) bool { return t.Origin().Obj() == other.Origin().Obj() })
}

// whyNot says why nothing is a candidate.
func whyNot(found *candidates.Found) []string {
	const most = 3
	var all []string
	for _, l := range found.Left {
		if len(all) == most {
			all = append(all, fmt.Sprintf("and %d more types", len(found.Left)-most))
			break
		}
		all = append(all, l.Name[strings.LastIndex(l.Name, "/")+1:]+": "+l.Why)
	}
	if len(all) == 0 {
		return []string{nothingDeclared}
	}
	return all
}

const nothingDeclared = "no type there has a lock or another sign that its fields belong together, and no lock " +
	"guards a package variable"

// subjects returns the sets that one program can answer for.
func (p *plan) subjects(e harness.Entry) ([]*query.Subject, error) {
	var all []*query.Subject
	var missing error
	for i, set := range p.sets {
		if len(e.Limits) > 0 && len(set.vars) > 0 != (e.Type == nil) && !slices.Contains(p.hosted[e.Main], set.typeName) {
			continue // clients of a type, or of what is not one
		}
		var s *query.Subject
		var err error
		if len(set.vars) > 0 {
			s, err = query.ResolveVars(e.Program, set.vars)
		} else {
			s, err = query.ResolveSubject(e.Program, set.typeName, set.fields)
		}
		switch {
		case err != nil && missing == nil:
			missing = asInputError(err)
		case err == nil && (len(set.vars) > 0 && callVariables(e, s) || len(set.vars) == 0 && p.isAnsweredBy(e, s.Name())):
			all = append(all, s)
			p.rank(s.Name(), s.Fields, i)
		}
	}
	if len(all) == 0 && e.Type == nil {
		return nil, missing
	}
	if p.found != nil {
		others, otherwise, unlocked := p.guardedTypes(e), p.otherwise(e), p.unlocked(e)
		for _, s := range all {
			s.Others, s.Otherwise = others, otherwise
			if p.isGuarded(s) {
				s.Unlocked = unlocked
			}
		}
	}
	return all, nil
}

// callVariables tells whether a program can do all that can be done to variables: clients of one package
// do, where only that can name them.
func callVariables(e harness.Entry, s *query.Subject) bool {
	return e.Of == "" || !slices.ContainsFunc(s.Fields, func(name string) bool {
		v := s.Vars[name]
		return !token.IsExported(v.Name()) && v.Pkg.Pkg.Path() != e.Of
	})
}

// guardedTypes returns the types of the sets that have a lock of their own: where a field
// leads to an object of one, what is done to it is judged by its own lock and sets.
func (p *plan) guardedTypes(e harness.Entry) map[*types.TypeName]bool {
	all := map[*types.TypeName]bool{}
	for _, set := range p.sets {
		if set.typeName == "" {
			continue
		}
		if s, err := query.ResolveSubject(e.Program, set.typeName, set.fields); err == nil {
			if structure, ok := s.Type.Underlying().(*types.Struct); ok && query.HasLock(structure) {
				all[s.Type.Obj()] = true
			}
		}
	}
	return all
}

// otherwise returns the fields that are synchronised without locks, as the program has them.
func (p *plan) otherwise(e harness.Entry) map[*types.TypeName][]string {
	all := map[*types.TypeName][]string{}
	for _, part := range p.found.Otherwise {
		if s, err := query.ResolveSubject(e.Program, part.Type, []string{part.Field}); err == nil {
			all[s.Type.Obj()] = append(all[s.Type.Obj()], part.Field)
		}
	}
	return all
}

// isGuarded tells whether a lock is held at most accesses to the set.
func (p *plan) isGuarded(s *query.Subject) bool {
	return slices.ContainsFunc(p.found.Candidates, func(c candidates.Candidate) bool {
		return c.Guard != "" && rankKey(c.Type, c.Fields) == rankKey(s.Name(), s.Fields)
	})
}

// unlocked returns the types whose objects are never used with a lock held, as the program has them.
func (p *plan) unlocked(e harness.Entry) map[*types.TypeName]bool {
	all := map[*types.TypeName]bool{}
	for _, name := range p.found.Unlocked {
		if s, err := query.ResolveSubject(e.Program, name, nil); err == nil {
			all[s.Type.Obj()] = true
		}
	}
	return all
}

// rank notes the place of a set in the plan.
func (p *plan) rank(typeName string, fields []string, at int) {
	if p.ranks == nil {
		p.ranks = map[string]int{}
	}
	p.ranks[rankKey(typeName, fields)] = at
}

func rankKey(typeName string, fields []string) string {
	return typeName + " " + strings.Join(fields, ",")
}

// order puts the answers in the order of the plan.
func (p *plan) order(queries []QueryResult) {
	slices.SortStableFunc(queries, func(a, b QueryResult) int {
		return p.ranks[rankKey(a.Type, a.Fields)] - p.ranks[rankKey(b.Type, b.Fields)]
	})
}

// onlySet returns an error if there are several sets.
func (p *plan) onlySet() error {
	if len(p.sets) < 2 {
		return nil
	}
	var choices []string
	for _, s := range p.sets {
		choices = append(choices, "--fields "+strings.Join(s.fields, ","))
	}
	return inputErrorf("--fields", "%d sets to choose from; write one of %s", len(choices), strings.Join(choices, "; "))
}
