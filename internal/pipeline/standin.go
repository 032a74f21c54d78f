package pipeline

import (
	"context"
	"errors"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/candidates"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Where a whole program is too large, clients of the package that declares a type are a smaller one: they
// call whatever it exports, in any order and at the same time, and so do all that the program does to
// fields that only the package can name. If they cannot break a set, neither can the program, as far as
// what limits them says; if they can, that is what is known, unless the program has an answer of its own.
// Clients of all packages of a library may be too large likewise. Who uses one package of a library is a client of it:
// what such clients break is broken. But of a package that only the library's own packages can import, only what is
// safe is taken over, scenario by scenario, as these may take care where clients do not: hold a lock of an owner, say.

// largeProgram is from how many instructions on a program is so large that most questions about it come to no
// end; those of a service that handles requests have a third.
const largeProgram = 500_000

// hasStandIns tells whether clients may answer for what is asked.
func (i *inquiry) hasStandIns() bool {
	first := i.entries[0]
	return i.request.namesNothing() && !i.request.Tests && (!first.IsLibrary() || len(first.Program.Packages) > 1)
}

// isLarge tells whether clients are asked before the programs.
func (i *inquiry) isLarge() bool { return i.plan.instructions > largeProgram }

// askClients finds out what clients are to be asked, of all sets that programs have no answer about yet.
func (i *inquiry) askClients(ctx context.Context) error {
	if !i.hasStandIns() {
		return nil
	}
	byPackage := map[string][]atomicSet{}
	var paths []string
	i.beside = elsewhereIn(i.entries[0].Program)
	i.findShared()
	for _, set := range i.open() {
		path := set.path()
		if path == "" || i.shared[rankKey(set.typeName, set.fields)] != nil {
			continue
		}
		if byPackage[path] == nil {
			paths = append(paths, path)
		}
		byPackage[path] = append(byPackage[path], set)
	}
	for _, path := range paths {
		if i.asked.stages.budget.isSpent() {
			return nil
		}
		own, err := i.clientsOf(ctx, path, byPackage[path])
		if err != nil {
			return err
		}
		if own != nil {
			i.clients = append(i.clients, own)
		}
	}
	return nil
}

// open returns the sets of types about which a program has no answer yet, each once, the likeliest first.
func (i *inquiry) open() []atomicSet {
	isOpen := map[string]bool{}
	for _, p := range i.asked.programs {
		for _, set := range p.sets {
			t := set.analysis.subject.Type
			if set.undecided() > 0 && t != nil && !p.entry.IsWithin(t.Obj().Pkg()) {
				isOpen[set.key()] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(i.plan.sets), func(s atomicSet) bool {
		return s.typeName == "" || !isOpen[rankKey(s.typeName, s.fields)]
	})
}

// path returns the path of the package that alone can name the fields; "" if there is none.
func (s atomicSet) path() string {
	if slices.ContainsFunc(s.fields, token.IsExported) {
		return ""
	}
	return s.typeName[:strings.LastIndex(s.typeName, ".")]
}

// clientsOf returns what clients of the package are asked about the sets; nil if there are none.
func (i *inquiry) clientsOf(ctx context.Context, path string, sets []atomicSet) (*inquiry, error) {
	program := i.entries[0].Program.Only(path)
	if len(program.Packages) == 0 || len(program.Mains()) > 0 || i.beside.hasUnits(path) {
		return nil, nil
	}
	unlessNone := func(err error) error { // there are no clients, or it would take too long to make them
		input, late := new(InputError), new(limitError)
		if ctx.Err() == nil && (isNothing(err) || errors.As(err, &input) || errors.As(err, &late)) {
			return nil
		}
		return err
	}
	all, err := entriesWithin(ctx, i.request, program, i.asked.stages, clients)
	if err != nil {
		return nil, unlessNone(err)
	}
	p, err := candidatesOf(ctx, i.request, all, i.asked.stages)
	if err != nil {
		return nil, unlessNone(err)
	}
	// What no lock guards in the package is not meant for several clients, whatever a program does. And its constructors
	// say nothing of zero values that others make.
	p.sets = slices.DeleteFunc(slices.Clone(sets), func(s atomicSet) bool {
		return !slices.ContainsFunc(p.found.Candidates, func(c candidates.Candidate) bool { return c.Type == s.typeName }) ||
			i.beside.made[s.typeName] && !slices.ContainsFunc(all, func(e harness.Entry) bool {
				return isTypeOf(e, s.typeName) && e.IsOfZeroValue()
			})
	})
	if len(p.sets) == 0 {
		return nil, nil
	}
	own, err := p.inquire(i.request, all, i.asked.stages)
	if own != nil {
		own.asked.provisional = true
	}
	return own, err
}

// elsewhere is what packages do with types that other packages declare, of which clients of these know nothing.
type elsewhere struct {
	made  map[string]bool // see query.MadeElsewhere
	units []string        // the paths of packages in which a directive makes a unit of work of a function
}

func elsewhereIn(p *load.Program) elsewhere {
	all := elsewhere{made: query.MadeElsewhere(p)}
	for _, pkg := range p.Imported() {
		if p.InModule(pkg.Pkg.Path()) && slices.ContainsFunc(query.FunctionsOf(pkg), func(fn *ssa.Function) bool {
			_, isFor := query.UnitForDirective(fn)
			return isFor || modref.UnitDirective(fn) == "unit"
		}) {
			all.units = append(all.units, pkg.Pkg.Path())
		}
	}
	return all
}

// hasUnits tells whether there are such units in another package than the one with the path.
func (e elsewhere) hasUnits(path string) bool {
	return slices.ContainsFunc(e.units, func(other string) bool { return other != path })
}

// roundOfClients asks the clients. Programs are not asked any more about what those cannot break.
func (i *inquiry) roundOfClients(ctx context.Context, isLast bool, share limit.Work) error {
	for _, own := range i.clients {
		if err := own.asked.round(ctx, isLast, share); err != nil {
			return err
		}
	}
	i.replaceWhere(func(program, clients *askedSet) bool {
		return clients.isSafe() || clients.undecided() == 0 && i.isForAnybody(clients)
	})
	for _, p := range i.asked.programs {
		for _, set := range p.sets {
			open := set.undecided()
			set.waits = open > 0 && slices.ContainsFunc(i.setsOfClients(set.key()), func(own *askedSet) bool {
				return own.isMade() && own.undecided() < open && i.isForAnybody(own)
			})
		}
	}
	return nil
}

// replace decides whose answer counts, where a program has not decided everything: that which leaves less
// open.
func (i *inquiry) replace() {
	assumption, isLibrary := standingIn, i.entries[0].IsLibrary()
	i.replaceWhere(func(program, clients *askedSet) bool {
		return clients.undecided() < program.undecided() && (!isLibrary || i.isForAnybody(clients))
	})
	if isLibrary {
		assumption = standingInForAll
		i.takeOver()
	}
	wanted := map[string]bool{}
	for _, p := range i.asked.programs {
		for _, set := range p.sets {
			wanted[set.key()] = wanted[set.key()] || set.replaced
		}
	}
	for _, own := range i.clients {
		for _, p := range own.asked.programs {
			for _, set := range p.sets {
				set.replaced = !wanted[set.key()]
				for _, q := range set.queries {
					q.answer.Assumptions = append(slices.Clip(q.answer.Assumptions), assumption)
				}
			}
		}
	}
}

// isForAnybody tells whether clients of the package that declares the type of a set are clients of a library, wherever
// they are.
func (i *inquiry) isForAnybody(set *askedSet) bool {
	t := set.analysis.subject.Type
	if t == nil || !i.entries[0].IsLibrary() {
		return false
	}
	_, isInternal := load.InternalTo(t.Obj().Pkg().Path())
	return !isInternal
}

// standingIn is what an answer of clients that stand in for programs takes for granted.
var standingIn = Assumption{Kind: "clients", Text: "stand in for the programs, which are too large: what those do to " +
	"objects of the type is what clients of its package can do"}

// standingInForAll is standingIn for clients of all packages of a library.
var standingInForAll = Assumption{Kind: "clients", Text: "call what the package of the type exports: what other " +
	"packages do to objects of the type is what clients of its package can do"}

// takeOver takes over which scenarios are safe in all programs of the clients. Whether a conflict cycle is told
// depends on the other scenarios: it is not taken over alone.
func (i *inquiry) takeOver() {
	for _, p := range i.asked.programs {
		for _, set := range p.sets {
			if set.replaced || set.undecided() == 0 {
				continue
			}
			isSafe := i.safeForClients(set.key())
			for _, q := range set.queries {
				q.takeOver(isSafe)
			}
		}
	}
}

// safeForClients tells which scenarios of a set clients cannot break.
func (i *inquiry) safeForClients(key string) map[int]bool {
	made, safe := 0, map[int]int{} // queries
	for _, own := range i.setsOfClients(key) {
		if !own.begun {
			return nil
		}
		for _, q := range own.queries {
			if q.isUnmade {
				continue
			}
			made++
			for _, s := range q.answer.Scenarios {
				if s.Verdict == VerdictSafe {
					safe[s.Scenario]++
				}
			}
		}
	}
	is := map[int]bool{}
	for number, n := range safe {
		is[number] = n == made && number != scenarios.ConflictCycle
	}
	return is
}

// takeOver makes what is safe for others the verdict of open scenarios.
func (q *asking) takeOver(isSafe map[int]bool) {
	taken := false
	for k := range q.answer.Scenarios {
		if s := &q.answer.Scenarios[k]; s.Verdict == VerdictUnknown && isSafe[s.Scenario] {
			s.Verdict, s.Reason, taken = VerdictSafe, "", true
		}
	}
	if !taken {
		return
	}
	q.answer.Assumptions = append(slices.Clip(q.answer.Assumptions), standingInForAll)
	if q.answer.Verdict = q.answer.ofScenarios(); q.answer.Verdict != VerdictUnknown {
		q.answer.Reason = ""
	}
}

// replaceWhere replaces the answers of programs that are not all there by those of clients, where that is
// better.
func (i *inquiry) replaceWhere(isBetter func(program, clients *askedSet) bool) {
	for _, p := range i.asked.programs {
		for _, set := range p.sets {
			if set.replaced || set.undecided() == 0 {
				continue
			}
			others := i.setsOfClients(set.key())
			set.replaced = slices.ContainsFunc(others, (*askedSet).isMade) &&
				!slices.ContainsFunc(others, func(own *askedSet) bool { return own.isMade() && !isBetter(set, own) })
		}
	}
}

// findShared finds, by key, what clients of the module are asked about a set, where they use the package that declares
// its type only, and so may stand in for the programs.
func (i *inquiry) findShared() {
	i.shared = map[string][]*askedSet{}
	if i.library == nil {
		return
	}
	isBarred, isOfZeroValue := map[string]bool{}, map[string]bool{}
	for _, p := range i.library.asked.programs {
		for _, set := range p.sets {
			key := set.key()
			i.shared[key] = append(i.shared[key], set)
			isBarred[key] = isBarred[key] || !i.mayStandIn(p.entry, set)
			isOfZeroValue[key] = isOfZeroValue[key] || p.entry.IsOfZeroValue()
		}
	}
	maps.DeleteFunc(i.shared, func(key string, all []*askedSet) bool {
		return isBarred[key] || i.beside.made[all[0].analysis.subject.Name()] && !isOfZeroValue[key]
	})
}

// mayStandIn tells whether clients use only the package that declares the type of a set, and no other one can name its
// fields or makes a unit of work of a function.
func (i *inquiry) mayStandIn(clients harness.Entry, set *askedSet) bool {
	s := set.analysis.subject
	return s.Type != nil && !slices.ContainsFunc(s.Fields, token.IsExported) && clients.IsWithin(s.Type.Obj().Pkg()) &&
		!i.beside.hasUnits(s.Type.Obj().Pkg().Path())
}

// setsOfClients returns what clients are asked about a set.
func (i *inquiry) setsOfClients(key string) []*askedSet {
	all := slices.Clip(i.shared[key])
	for _, own := range i.clients {
		for _, p := range own.asked.programs {
			for _, set := range p.sets {
				if set.key() == key {
					all = append(all, set)
				}
			}
		}
	}
	return all
}

// key identifies the set.
func (set *askedSet) key() string {
	return rankKey(set.analysis.subject.Name(), set.analysis.subject.Fields)
}

// undecided returns the share of the scenarios that have no verdict: of the query where it is largest, 1 if
// it is not known what the queries are.
func (set *askedSet) undecided() float64 {
	if !set.begun {
		return 1
	}
	most := 0.0
	for _, q := range set.queries {
		if !q.isUnmade {
			most = max(most, q.undecided())
		}
	}
	return most
}

// isSafe tells whether all queries have been answered, and nothing is violated.
func (set *askedSet) isSafe() bool {
	return set.begun && set.isMade() && !slices.ContainsFunc(set.queries, func(q *asking) bool {
		return !q.isUnmade && (!q.done || q.answer.Verdict != VerdictSafe)
	})
}

// isMade tells whether the program makes an object of the type, or may, as far as is known.
func (set *askedSet) isMade() bool {
	return !set.begun || slices.ContainsFunc(set.queries, func(q *asking) bool { return !q.isUnmade })
}
