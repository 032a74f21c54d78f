package pipeline

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// Clients make objects of each type that is made to be shared. What else is a candidate has no
// clients of its own: types without a lock, types that no exported function hands out, variables
// that another package's lock guards. It is checked in the programs that make its objects: the
// clients of what owns them.

// withOwners finds programs for the sets of a library that none of the programs is about, and
// returns the programs with those that had to be made for that.
func (p *plan) withOwners(r Request, all []harness.Entry) []harness.Entry {
	if p.found == nil || !p.found.Clients || r.Type != "" {
		return all
	}
	p.hosted, p.unhosted, p.unmade = map[*ssa.Package][]string{}, map[string]string{}, map[string]string{}
	program, config := all[0].Program, clientConfig(r)
	reached := reachOf(p.graph, all)
	for _, t := range query.GuardedTypes(program) {
		name := t.Obj().Pkg().Path() + "." + t.Obj().Name()
		if program.IsUnused(t.Obj().Pkg()) {
			p.unmade[name] = unused(t)
			continue
		}
		if !slices.ContainsFunc(all, func(e harness.Entry) bool { return isTypeOf(e, name) }) {
			if _, err := harness.Client(program, t, config); err != nil {
				p.unmade[name] = err.Error()
			}
		}
	}
	for _, set := range p.sets {
		switch {
		case len(set.vars) > 0:
			s, err := query.ResolveVars(program, set.vars)
			if err != nil || slices.ContainsFunc(all, func(e harness.Entry) bool {
				return e.Type == nil && callVariables(e, s)
			}) {
				continue
			}
			if e, err := harness.Callers(program, config); err == nil {
				all = append(all, e)
			} else {
				p.unhosted[program.Packages[0].Pkg.Name()] = err.Error()
			}
		case !slices.ContainsFunc(all, func(e harness.Entry) bool { return isTypeOf(e, set.typeName) }) &&
			!p.isHosted(set.typeName):
			all = append(all, p.host(program, set, all, reached, config)...)
		}
	}
	return all
}

// isTypeOf tells whether the clients are those of the type.
func isTypeOf(e harness.Entry, typeName string) bool {
	return e.Type != nil && e.Type.Obj().Pkg().Path()+"."+e.Type.Obj().Name() == typeName
}

// isHosted tells whether programs have been found that make objects of a type.
func (p *plan) isHosted(typeName string) bool {
	for _, names := range p.hosted {
		if slices.Contains(names, typeName) {
			return true
		}
	}
	return p.unhosted[typeName] != ""
}

// host finds the programs that make objects of a type: clients of the nearest owner, or else of any other type; of
// the nearest on each way, if the type is made to be shared, and internal. It returns those that had to be made.
func (p *plan) host(program *load.Program, set atomicSet, all []harness.Entry, reached []*reach,
	config harness.ClientConfig) []harness.Entry {
	s, err := query.ResolveSubject(program, set.typeName, set.fields)
	if err != nil {
		p.unhosted[set.typeName] = err.Error()
		return nil
	}
	if program.IsUnused(s.Type.Obj().Pkg()) {
		p.unhosted[set.typeName] = unused(s.Type)
		return nil
	}
	// Clients, by their text: an owner's may be those of its parts, too.
	hosts := map[string]bool{}
	hostedBy := func(owner *types.Named) (found bool) { // nil: by the callers of exported functions
		for i, e := range all {
			switch text := e.Source(); {
			case i >= len(reached) || e.Type != owner:
			case hosts[text]:
				found = true
			case reached[i].makes(program, s):
				p.hosted[e.Main] = append(p.hosted[e.Main], set.typeName)
				hosts[text], found = text != "", true
			}
		}
		return found
	}
	if isInternal(s.Type.Obj().Pkg().Path()) && query.IsGuarded(s.Type) { // see hasOwnerAround
		harness.VisitOwners(program, s.Type, hostedBy)
		if p.isHosted(set.typeName) {
			return nil
		}
	}
	order := harness.Owners(program, s.Type)
	for _, e := range all {
		if e.Type != nil && !slices.Contains(order, e.Type) {
			order = append(order, e.Type)
		}
	}
	if slices.ContainsFunc(append(order, nil), hostedBy) {
		return nil
	}
	config.Owned = true
	made, err := harness.Client(program, s.Type, config)
	if err != nil {
		p.unhosted[set.typeName] = err.Error()
	}
	return made
}

// unused says why a type has no clients of which IsUnused tells.
func unused(t *types.Named) string {
	return fmt.Sprintf("only tests use package %s, which is internal; name it alone to check it", t.Obj().Pkg().Path())
}

// reach is what a program can run. It is found out when it is asked for: most programs answer for their own types only.
type reach struct {
	graph *pointsto.Result
	entry harness.Entry
	made  *query.Allocations // what that makes
}

// makes tells whether the program makes an object of the type.
func (r *reach) makes(program *load.Program, s *query.Subject) bool {
	if r.made == nil {
		r.made = query.NewAllocations(program, r.functions())
	}
	return len(r.made.Sites(s, true, func(*ssa.Function) bool { return false })) > 0
}

// functions returns the functions that the program can run.
func (r *reach) functions() (all []*ssa.Function) {
	nodes := r.graph.Nodes()
	seen := make([]bool, nodes[len(nodes)-1].ID+1)
	reached := make(map[*ssa.Function]bool, len(nodes))
	var work []*pointsto.Node
	visit := func(n *pointsto.Node) {
		if !seen[n.ID] {
			seen[n.ID], reached[n.Func] = true, true
			work = append(work, n)
		}
	}
	for _, root := range r.entry.Roots() {
		for _, n := range r.graph.NodesOf(root) {
			visit(n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, call := range r.graph.Calls(n) {
			visit(call.Callee)
		}
	}
	for _, fn := range r.graph.Functions() {
		if reached[fn] {
			all = append(all, fn)
		}
	}
	return all
}

// reachOf returns what each program can run.
func reachOf(graph *pointsto.Result, all []harness.Entry) []*reach {
	var reached []*reach
	for _, e := range all {
		reached = append(reached, &reach{graph: graph, entry: e})
	}
	return reached
}

// isAnsweredBy tells whether a program answers for the sets of a type: it is one of its clients,
// or of what owns its objects.
func (p *plan) isAnsweredBy(e harness.Entry, typeName string) bool {
	return e.Type == nil && len(e.Limits) == 0 || isTypeOf(e, typeName) || slices.Contains(p.hosted[e.Main], typeName)
}

// unanswered says of which sets there is no answer, and why; named are the types of which that
// has been said already.
func (p *plan) unanswered(result *Result) []string {
	var all []string
	for _, set := range p.sets {
		fields := append(slices.Clone(set.fields), set.vars...)
		isAbout := func(q QueryResult) bool {
			return q.Type == set.typeName && slices.Equal(q.Fields, fields) || q.Type == "" && len(q.Fields) == 0
		}
		short := set.typeName[strings.LastIndex(set.typeName, ".")+1:]
		isNamed := func(why string) bool { return short != "" && strings.HasPrefix(why, short+": no object of this type") }
		if slices.ContainsFunc(result.Queries, isAbout) || slices.ContainsFunc(result.Errors, isNamed) {
			continue
		}
		why := "no program makes an object of it, as far as is evident"
		if known := p.unhosted[set.typeName]; known != "" {
			why = known
		}
		name := strings.Join(fields, ", ")
		if short != "" {
			name = fmt.Sprintf("%s: %s", short, name)
		}
		all = append(all, name+": "+why)
	}
	return all
}
