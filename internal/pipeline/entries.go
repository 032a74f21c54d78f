package pipeline

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/query"
)

// entries returns the programs that a request is about: the main packages named
// and, if asked for, the tests.
func entries(r Request, program *load.Program) ([]harness.Entry, error) {
	all := harness.Mains(program)
	if r.Tests {
		tests, err := harness.Tests(program)
		if err != nil {
			return nil, err
		}
		all = append(all, tests...)
	}
	if len(all) > 0 {
		return all, nil
	}
	return clients(r, program)
}

// clients returns clients of the type asked for, or of each type that has a lock.
func clients(r Request, program *load.Program) ([]harness.Entry, error) {
	what, config := strings.Join(r.Packages, " "), clientConfig(r)
	if len(r.Vars) > 0 {
		e, err := harness.Callers(program, config)
		if err != nil {
			return nil, inputErrorf(what, "has no main function, and clients have nothing to call: %s", err)
		}
		return []harness.Entry{e}, nil
	}
	subjects, err := sharedTypes(r, program)
	if err != nil {
		return nil, err
	}
	var all []harness.Entry
	var reasons []string
	usage := query.UsageIn(program)
	for _, t := range subjects {
		if r.Type == "" && (program.IsUnused(t.Obj().Pkg()) || hasOwnerAround(program, t, subjects)) {
			continue // see withOwners
		}
		config.Constructed = r.asksAboutBlocking() && !usage.IsGuarded(t)
		config.Owned = !usage.IsGuarded(t) && slices.ContainsFunc(harness.Owners(program, t), usage.IsGuarded)
		made, err := harness.Client(program, t, config)
		if err != nil {
			reasons = append(reasons, fmt.Sprintf("%s: %s", t.Obj().Name(), err))
			continue
		}
		all = append(all, made...)
	}
	if r.asksAboutBlocking() {
		all = withoutAlike(all)
	}
	if r.Type == "" {
		all = append(all, callers(program, config)...)
	}
	if len(all) == 0 && len(reasons) == 0 {
		why := "no struct type there has a lock or an atomic, and no package variable is one, so that clients are not " +
			"meant to share anything"
		if r.asksAboutBlocking() {
			why += ", nor does a function start goroutines that share a channel, lock or wait group of its own"
		}
		return nil, newNothing(what, why)
	}
	if len(all) == 0 {
		why := "has no main function, and clients of the package cannot make an object: " + strings.Join(reasons, "; ")
		if r.asksAboutBlocking() && r.Type == "" {
			return nil, newNothing(what, why)
		}
		return nil, inputErrorf(what, "%s", why)
	}
	return all, nil
}

// withoutAlike leaves out clients that do what earlier ones do: those of what owns several types are made for each of
// them. What is asked about blocking is asked of a program, whatever type it was made for.
func withoutAlike(all []harness.Entry) []harness.Entry {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(e harness.Entry) bool {
		text := e.Source()
		isKnown := text != "" && seen[text]
		seen[text] = true
		return isKnown
	})
}

// hasOwnerAround tells whether objects of a type of an internal package are parts of those of another type, which
// clients make and anybody can import: then what is done to them is what its clients make it do.
func hasOwnerAround(program *load.Program, t *types.Named, made []*types.Named) bool {
	return isInternal(t.Obj().Pkg().Path()) && slices.ContainsFunc(harness.Owners(program, t), func(o *types.Named) bool {
		return !isInternal(o.Obj().Pkg().Path()) && slices.Contains(made, o)
	})
}

// callers returns clients for each package that has a lock as a variable: they call what it exports.
func callers(program *load.Program, config harness.ClientConfig) []harness.Entry {
	var all []harness.Entry
	for _, pkg := range program.Packages {
		own := program.With([]*ssa.Package{pkg})
		if !query.HasVariableLock(own) {
			continue
		}
		if e, err := harness.Callers(own, config); err == nil {
			e.Program = program
			if len(program.Packages) > 1 {
				e.Of = pkg.Pkg.Path()
			}
			all = append(all, e)
		}
	}
	return all
}

// clientConfig says how the clients of a request call a library.
func clientConfig(r Request) harness.ClientConfig {
	c := harness.ClientConfig{Clients: r.Clients, Fields: r.ClientFields, Make: r.Make,
		Together: r.namesNothing(), Contracts: r.namesNothing()}
	if r.asksAboutBlocking() {
		c.Clients++ // one is free to do anything for the others
		c.Reenter = true
	}
	return c
}

// sharedTypes returns the type asked for, or each that is made to be shared.
func sharedTypes(r Request, program *load.Program) ([]*types.Named, error) {
	if r.Type == "" {
		return guardedTypes(r, program), nil
	}
	s, err := query.ResolveSubject(program, r.Type, r.Fields)
	if err != nil {
		return nil, asInputError(err)
	}
	return []*types.Named{s.Type}, nil
}

// guardedTypes returns the types that are made to be shared: for questions about blocking also those that nobody
// changes, with a channel for example, but for those that are parts of others.
func guardedTypes(r Request, program *load.Program) []*types.Named {
	all := query.GuardedTypes(program)
	if !r.asksAboutBlocking() {
		return all
	}
	guarded := slices.Clone(all)
	for _, t := range query.SynchronisedTypes(program) {
		isPart := func(owner *types.Named) bool { return slices.Contains(guarded, owner) }
		if !slices.Contains(guarded, t) && !slices.ContainsFunc(harness.Owners(program, t), isPart) {
			all = append(all, t)
		}
	}
	return all
}

// withSettings returns the request with what the file in the module root adds to it.
func withSettings(r Request, program *load.Program) (Request, error) {
	settings, err := program.Settings()
	if err != nil {
		return r, inputErrorf(load.SettingsFile, "%s", err)
	}
	for _, entry := range settings.Concurrent {
		if err := query.CheckConcurrent(program, load.SettingsFile, entry); err != nil {
			return r, asInputError(err)
		}
	}
	r.Concurrent = append(slices.Clip(r.Concurrent), settings.Concurrent...)
	r.Joins, r.LockTypes = append(slices.Clip(r.Joins), settings.Joins...),
		append(slices.Clip(r.LockTypes), settings.Locks...)
	if err := harness.CheckMakers(program, r.Make); err != nil {
		return r, inputErrorf("make", "%s", strings.TrimPrefix(err.Error(), "make: "))
	}
	if err := harness.CheckMakers(program, settings.Make); err != nil {
		return r, inputErrorf(load.SettingsFile, "%s", err)
	}
	if len(settings.Make) > 0 {
		maps.Copy(settings.Make, r.Make)
		r.Make = settings.Make
	}
	return r, nil
}

// entryNames lists the entries.
func entryNames(all []harness.Entry) string {
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", ")
}

// runEntries adds the queries about all programs to the result. What the user names
// has to be in one of them.
func runEntries(ctx context.Context, r Request, all []harness.Entry, result *Result, stages *runner) error {
	program := all[0].Program // loaded together with the others
	turn := program.Adding()  // for clients of owners
	turn.Lock()
	asked, err := inquire(ctx, r, partsOf(all), stages)
	turn.Unlock()
	if err != nil {
		return err
	}
	if !r.Harm && !r.namesNothing() { // else for trials, and clients that stand in
		turn = program.Using()
	}
	turn.Lock()
	err = asked.answer(ctx, result)
	turn.Unlock()
	if err != nil {
		return err
	}
	missing := asked.missing()
	isSaid := len(result.NotChecked) > 0 && r.Site == "" // of a site that is not there no set has objects
	if len(result.Queries)+len(result.Errors) > 0 || isSaid {
		return nil
	}
	return missing
}

// interrupted is why a query has no answer when the run was told to end.
const interrupted = "the run was interrupted before there was an answer"

// notMade says of which types no query has been answered, as no program, or one of those
// that a query names, makes an object of them.
func notMade(r Request, without []*analysis, answered []QueryResult) []string {
	var all []string
	for _, a := range without {
		// A registry's lookup makes none: other clients do.
		isAnswered := slices.ContainsFunc(answered, func(q QueryResult) bool { return q.Type == a.subject.Name() })
		if (a.entry.Type != nil || r.Type == "") && isAnswered || a.subject.Type == nil {
			continue
		}
		why := fmt.Sprintf("%s: no object of this type is made by code reachable from %s", a.subject.Type.Obj().Name(),
			rootName(a.entry))
		if !slices.Contains(all, why) {
			all = append(all, why)
		}
	}
	return all
}

// rootName says where the program begins.
func rootName(e harness.Entry) string {
	if len(e.Limits) > 0 {
		return e.Name
	}
	if strings.HasSuffix(e.Name, ".test") {
		return "the tests " + e.Name
	}
	return "main"
}

// defect says that a query was not answered because of an error in this program.
func defect(err error) string {
	if internal := new(InternalError); errors.As(err, &internal) {
		return err.Error()
	}
	return fmt.Sprintf("internal error: %v; please report it", err)
}

// onlySite returns the site that a request is about, and the analysis of its program:
// clients make the object in one way each. Of several with the site it is the first.
func onlySite(ctx context.Context, r Request, all []harness.Entry, stages *runner) (*analysis, query.Site, error) {
	p, err := planFor(ctx, r, all, stages)
	if err == nil {
		err = p.onlySet()
	}
	if err != nil {
		return nil, query.Site{}, err
	}
	var found *analysis
	var sites []query.Site
	var missing error
	for _, e := range all {
		analysed, err := analyses(ctx, r, e, p, stages)
		if err != nil {
			return nil, query.Site{}, err
		}
		for _, a := range analysed {
			if a.limit != nil {
				return nil, query.Site{}, a.limit
			}
			some, err := a.sites()
			if err != nil && missing == nil {
				missing = err
			}
			if len(some) > 0 && found == nil {
				found = a
			}
			sites = append(sites, some...)
		}
	}
	switch {
	case len(sites) == 0 && missing != nil:
		return nil, query.Site{}, missing
	case len(sites) == 0:
		return nil, query.Site{}, inputErrorf("--site", "no site makes such an object")
	}
	isOther := func(s query.Site) bool { return s.String() != sites[0].String() }
	if slices.ContainsFunc(sites, isOther) {
		return nil, query.Site{}, inputErrorf("--site", "%d sites to choose from; write one of %s", len(sites), join(sites))
	}
	return found, sites[0], nil
}
