// Package candidates finds out what is worth checking: which fields of a type, or which
// package variables, belong together, by what the program does with them.
//
// Evidence is each access to a field after its object was made, with the locks that are
// held there: a must analysis along the control flow and over the call graph, in which a
// lock is known by its access path (a lock of the same object, of another one, a package
// variable). Fields that are accessed under one lock are a group; so are fields that one
// function writes without a lock, and atomics that it accesses together.
// //empire:atomic overrides all that.
//
// Fields of which nothing says that they are for several goroutines, no lock and no atomic operation, are
// candidates of a program only if two of its goroutines evidently meet at one object: see met. A lock of
// another object says something only of what that leads to: see isLedTo. That objects of a site are used by
// several goroutines is not enough, as each may have its own; nor is anything of types in generated code, as
// messages are: what makes and moves those is in libraries, and who has them at the same time is a guess.
//
// Evidence is no proof. Paths are taken to name what they named before, and memory is
// followed as far as the values of a function lead: what is missed makes a group smaller,
// or lists it later. Linear in the code of the main module, times the number of locks
// held at once; the call graph and the points-to sets are those that the queries share.
package candidates

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

// Config says where to look.
type Config struct {
	// Programs are those that run; of their packages the types and the variables are
	// looked at. There is at least one.
	Programs []Program
	Graph    *pointsto.Result // of all of them
	Clients  bool             // they are clients of libraries, whose objects any goroutines may share

	// Types are the only ones that are looked at, if there are any: their groups are
	// candidates whatever speaks against it, and no package variables are.
	Types []*types.Named
}

// Program is one that runs.
type Program struct {
	*load.Program
	Roots []*ssa.Function
	Also  []*ssa.Package // to be looked at besides the packages named: those under test
	Type  *types.Named   // whose objects the clients use; nil if they are not those of a type
}

// Candidate is an atomic set that is worth checking.
type Candidate struct {
	Type     string   // with the path of its package; "" for package variables
	Fields   []string // of the type, sorted; or package variables as pkg.Var
	Pos      string   // where the type is declared, or the first variable
	Guard    string   // the lock that is held at most accesses; "" if there is none
	Set      string   // the name in //empire:atomic; "" if it is found by evidence
	Shared   bool     // two goroutines access one object, one of them writing
	Evidence []string // sentences
	Sites    []Site   // where objects are made, unless clients of a library do
	Units    []Unit   // functions that may be units of work, and are none by default
	Score    int      // see rank
}

// Site is a place where objects of the type are made.
type Site struct {
	Site   string
	Shared bool
	By     []string // the functions that the goroutines begin with which access them
}

// Found is what was found.
type Found struct {
	Candidates []Candidate // the best first; those of one type, or of one package, in a row
	Left       []Left      // what is no candidate
	Otherwise  []Part      // fields that are synchronised without locks
	Unlocked   []string    // types whose objects are used, and never with a lock held: with the path of the package
	Clients    bool        // as in the Config
	// which locks guard what, for all types and variables that are looked at
	Disciplines []Discipline
}

// Left is a type, or the variables of a package, that is not worth checking.
type Left struct {
	Name string
	Why  string
	Lock bool // it has a lock all the same
	Part bool // only the fields that Why names are left out
}

// Find looks at the programs. It fails if ctx is done.
func Find(ctx context.Context, c Config) (found *Found, err error) {
	defer limit.Catch(&err)
	f := newFinder(ctx, c)
	f.declare()
	f.readAllComments()
	if !f.Clients { // else any goroutines may share objects
		f.findGoroutines()
	}
	for _, w := range f.worlds() {
		f.findEntries(w)
		f.gather(w)
	}
	f.notePrinters()
	found = &Found{Clients: f.Clients, Otherwise: f.otherwise(), Unlocked: f.unlocked()}
	for _, o := range f.owners {
		if f.isAskedFor(o) {
			f.addType(found, o)
		}
	}
	for _, v := range f.packages {
		f.addVariables(found, v)
	}
	f.leaveParts(found)
	found.Disciplines = f.disciplines()
	sortCandidates(found.Candidates)
	return found, ctx.Err()
}

// isAskedFor tells whether the type is to be looked at: the others say how its objects are
// used.
func (f *finder) isAskedFor(o *owner) bool {
	return len(f.Types) == 0 || slices.ContainsFunc(f.Types, func(t *types.Named) bool { return nameOf(t) == o.name })
}

// addType adds the groups of a type.
func (f *finder) addType(found *Found, o *owner) {
	shares, sites := f.sharesOf(o)
	leave := func(why string) { found.Left = append(found.Left, Left{Name: o.name, Why: why, Lock: o.hasSync}) }
	leavePart := func(fields []string, why string) {
		if len(fields) > 0 {
			found.Left = append(found.Left, Left{Name: o.name, Why: and(fields) + ": " + why, Lock: o.hasSync, Part: true})
		}
	}
	used := slices.ContainsFunc(o.fields, func(x *field) bool { return len(x.accesses) > 0 || x.written })
	var published, copied, configured, divided, awaited []string
	fields := slices.DeleteFunc(slices.Clone(o.fields), func(x *field) bool {
		switch {
		case f.isPublished(x, o.fields) && !x.isControlled(o.fields):
			if f.isStatistic(x) && x.isCopied() {
				copied = append(copied, x.name)
				break
			}
			published = append(published, x.name)
		case f.isConfigured(x):
			configured = append(configured, x.name)
		case f.isGuardedByElement(o, x):
			divided = append(divided, x.name)
		case f.Clients && len(f.Types) == 0 && slices.Contains(found.Otherwise, Part{o.name, x.name}) && !x.isAtomic() &&
			!f.isOfLibrary(o, x):
			awaited = append(awaited, x.name)
		default:
			return false
		}
		return true
	})
	leavePart(published, "counted or stored one by one, for clients to look at")
	leavePart(copied, "counted or stored one by one, atomically, for clients to look at; that they are read without an "+
		"atomic operation is a data race")
	leavePart(configured, "clients set it, with no lock held, before they share the object")
	leavePart(divided, "each element has a lock of its own, and is checked on its own")
	leavePart(awaited, "who reads them with no lock held has waited for a signal of the object")
	groups := groupsOf(fields)
	switch {
	case len(groups) == 0 && len(fields) < len(o.fields):
		return
	case len(o.fields) == 0:
		// as a lock of one's own
		found.Left = append(found.Left, Left{Name: o.name, Why: "has no field besides synchronisation"})
		return
	case f.Clients && !o.hasSync && len(groups) == 0:
		leave(notMeant)
		return
	case !used && len(groups) == 0:
		leave("its fields are used only where its objects are made, if at all")
		return
	case len(groups) == 0:
		leave("no field is written once an object is made")
		return
	}
	added := false
	var unguarded, passed []string
	why := ""
	if f.Clients && len(f.Types) == 0 {
		why = f.passing(o)
	}
	for _, g := range groups {
		if why != "" && g.set == "" && !g.isClaimed() {
			passed = append(passed, g.names()...)
			continue
		}
		if f.Clients && len(f.Types) == 0 && g.set == "" && g.guard.name == "" && !g.isNeverGuarded() {
			var plain []*field
			g, plain = g.withoutPlain()
			unguarded = append(unguarded, group{fields: plain}.names()...)
		}
		c := Candidate{Type: o.name, Fields: g.names(), Pos: f.position(o.declared), Guard: g.guard.name, Set: g.set}
		c.Shared = f.Clients && o.hasSync || !f.Clients && shares && f.severalAccess(g.fields)
		if g.set == "" && g.guard.name == "" && !c.Shared && len(f.Types) == 0 {
			continue
		}
		if g.set == "" && g.isNeverGuarded() && len(f.Types) == 0 &&
			(f.Clients || !o.isSynchronised() && (f.Programs[0].SaysGenerated(o.declared) || len(f.metIn(g)) == 0)) {
			unguarded = append(unguarded, g.names()...)
			continue
		}
		c.Evidence = f.evidence(g, o.fields)
		var others int
		c.Sites, others = f.sitesOf(g, sites)
		c.Evidence = append(c.Evidence, f.sharing(c, others)...)
		if c.Shared {
			c.Units = f.unitsOf(o, g)
		}
		for i, u := range c.Units {
			if i == most {
				c.Evidence = append(c.Evidence, fmt.Sprintf("so do %d more functions", len(c.Units)-most))
				break
			}
			c.Evidence = append(c.Evidence, u.sentence())
		}
		if c.Score = rank(c, g); knowledge.IsTestDouble(o.variants[0].Type.Obj()) {
			c.Score -= forTests
		}
		found.Candidates, added = append(found.Candidates, c), true
	}
	leavePart(passed, why)
	if f.Clients {
		leavePart(unguarded, notMeantFor)
	} else {
		leavePart(unguarded, notMet)
	}
	switch {
	case added || len(unguarded)+len(passed) > 0 || len(published)+len(configured)+len(divided)+len(awaited) > 0:
	case f.Clients:
		leave(notMeant)
	default:
		leave("no two goroutines use one object of it, and no lock is held where its fields are used")
	}
}

// notMeant is why a type of a library is no candidate.
const notMeant = "has no lock and no atomic field, so that clients are not meant to share its objects"

// notMeantFor is why fields of a library's type are no candidate, and notMet why those of a program are.
const (
	notMeantFor = "no lock is held where they are written, so that they are not meant for several goroutines"
	notMet      = "no lock is held where they are written, and no two goroutines evidently share an object, so that " +
		"they are not meant for several goroutines; --type T checks them all the same"
)

// addVariables adds the groups of the variables of a package that a lock guards.
func (f *finder) addVariables(found *Found, v *vars) {
	for _, g := range groupsOf(v.fields) {
		if g.set == "" && g.guard.name == "" {
			continue
		}
		c := Candidate{Fields: g.names(), Pos: f.position(g.first()), Guard: g.guard.name, Set: g.set}
		c.Shared = f.Clients || f.severalAccess(g.fields)
		c.Evidence = f.evidence(g, nil)
		if !f.Clients {
			c.Evidence = append(c.Evidence, f.variableSharing(g))
		}
		c.Score = rank(c, g)
		found.Candidates = append(found.Candidates, c)
	}
}

// forTests is taken from the score of what stands in for something in tests: all else is worth more.
const forTests = 1000

// rank says how much speaks for a candidate: that it was asked for, that goroutines share
// it, that a lock guards it, that the lock is not always held, that the fields are
// several.
func rank(c Candidate, g group) int {
	score := 0
	add := func(points int, is bool) {
		if is {
			score += points
		}
	}
	add(1000, c.Set != "")
	add(400, c.Shared)
	add(200, g.guard.own)
	add(100, c.Guard != "")
	add(80, c.Guard != "" && !g.isAlwaysGuarded())
	add(60, len(c.Fields) > 1)
	add(50, g.isClaimed())
	return score + min(g.count(), 40)
}

// sortCandidates sorts by score: types by their best group, then by name.
func sortCandidates(all []Candidate) {
	best := map[string]int{}
	of := func(c Candidate) string {
		if c.Type == "" {
			return strings.SplitN(c.Fields[0], ".", 2)[0]
		}
		return c.Type
	}
	for _, c := range all {
		best[of(c)] = max(best[of(c)], c.Score)
	}
	slices.SortStableFunc(all, func(a, b Candidate) int {
		return cmp.Or(best[of(b)]-best[of(a)], strings.Compare(of(a), of(b)), b.Score-a.Score,
			slices.Compare(a.Fields, b.Fields))
	})
}

// madeAt is a site, with what is made there.
type madeAt struct {
	Site
	made []ssa.Value
}

// sharesOf tells whether two goroutines access one object of the type, and where its
// objects are made.
func (f *finder) sharesOf(o *owner) (shared bool, sites []madeAt) {
	for _, s := range o.shares {
		shared = shared || f.shared(s)
	}
	if f.Clients {
		return shared, nil
	}
	for _, s := range o.variants {
		for _, p := range f.asLoaded() {
			elsewhere := query.CalledElsewhere(p, f.graph)
			for _, site := range f.allocationsIn(p).Sites(s, false, elsewhere) {
				at := f.siteOf(site, o)
				if !slices.ContainsFunc(sites, func(known madeAt) bool { return known.Site.Site == at.Site.Site }) {
					sites = append(sites, at)
				}
			}
		}
	}
	return shared, sites
}

// allocationsIn returns where the functions make objects, by what a program says of them. They are found once.
func (f *finder) allocationsIn(p *load.Program) *query.Allocations {
	known := f.allocations[p]
	if known == nil {
		known = query.NewAllocations(p, f.functions)
		f.allocations[p] = known
	}
	return known
}

// sitesOf returns the sites that are worth checking for a group, those where what is made is evidently
// shared, and how many others there are. If there is none, all are.
func (f *finder) sitesOf(g group, all []madeAt) (some []Site, others int) {
	met := f.metIn(g)
	isMet := func(s madeAt) bool {
		return s.Shared && slices.ContainsFunc(s.made, func(v ssa.Value) bool { return met[v] })
	}
	any := slices.ContainsFunc(all, isMet)
	for _, s := range all {
		if !any || isMet(s) {
			some = append(some, s.Site)
		} else {
			others++
		}
	}
	return some, others
}

// siteOf tells who shares what is made at a site.
func (f *finder) siteOf(site query.Site, o *owner) madeAt {
	var made []ssa.Value
	if site.Memory != nil {
		made = append(made, site.Memory)
	}
	if call, ok := site.Call.(*ssa.Call); ok {
		for _, n := range f.graph.NodesOf(call.Parent()) {
			for _, o := range f.graph.PointsTo(n, call).Objects() {
				made = append(made, o.Site)
			}
		}
	}
	all := &share{}
	for _, v := range made {
		if known := o.shares[v]; known != nil {
			all.by.add(known.by)
			all.written = all.written || known.written
		}
	}
	return madeAt{Site{site.String(), f.shared(all), f.goroutineNames(all.by)}, made}
}
