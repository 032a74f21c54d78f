package pipeline

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/query"
)

// sites returns the site asked for, or every site.
func (a *analysis) sites() ([]query.Site, error) {
	functions := a.graph.Functions()
	for _, name := range a.request.UnitFuncs {
		if !slices.ContainsFunc(functions, func(fn *ssa.Function) bool { return modref.IsNamed(fn, name) }) {
			return nil, inputErrorf("--unit "+name, "no function reachable from main has that name; write it as Clear, "+
				"(*Vector).Clear or with its full path")
		}
	}
	switch {
	case a.subject.Local != nil:
		return []query.Site{a.subject.LocalSite(a.program)}, nil
	case a.subject.Type == nil:
		return []query.Site{{}}, nil
	}
	made, isElsewhere := a.madeByClients(), query.CalledElsewhere(a.program, a.graph)
	if a.request.Site == "" {
		if len(made) > 0 && made[0].Path == "" {
			return made, nil
		}
		return append(made, query.Sites(a.program, a.subject, functions, false, isElsewhere)...), nil
	}
	// A constructor on one line is where clients make the object, and where it is
	// allocated: the former is meant, as by default.
	if site, err := query.ResolveSite(a.program, a.subject, a.request.Site, made); err == nil {
		return []query.Site{site}, nil
	}
	all := append(made, query.Sites(a.program, a.subject, functions, true, isElsewhere)...)
	site, err := query.ResolveSite(a.program, a.subject, a.request.Site, all)
	if err != nil {
		return nil, asInputError(err)
	}
	return []query.Site{site}, nil
}

// madeByClients returns where clients make the objects that they share, or those that these are
// parts of.
func (a *analysis) madeByClients() []query.Site {
	var sites []query.Site
	for _, m := range a.entry.Made {
		all := a.placesOf(m)
		for _, other := range m.Others {
			for i, site := range a.placesOf(other) {
				all[i].Others, all[i].OneOf = append(all[i].Others, site), true
			}
		}
		for i := range all {
			all[i].NamePlaces()
		}
		sites = append(sites, all...)
	}
	return sites
}

// placesOf returns where the objects of the query are in what clients make: for each way to make it the same number.
func (a *analysis) placesOf(m harness.Made) []query.Site {
	site := query.Site{Pos: a.program.Position(m.Pos)}
	switch v := m.Value.(type) {
	case *ssa.Alloc:
		site.Memory = v
	case ssa.CallInstruction:
		site.Call = v
	}
	switch {
	case a.isTypeOfClients():
		return []query.Site{site}
	case site.Memory == nil:
		return nil
	}
	var sites []query.Site
	for _, path := range a.subject.Within(site.Memory.Type().Underlying().(*types.Pointer).Elem()) {
		site.Path = path
		sites = append(sites, site)
	}
	return sites
}

// isTypeOfClients tells whether the clients make objects of the type themselves.
func (a *analysis) isTypeOfClients() bool {
	return a.entry.Type != nil && a.subject.Type.Obj() == a.entry.Type.Obj() && !a.entry.Owned
}

// siteFunction names where a site is without its position.
func siteFunction(site query.Site) string {
	switch {
	case len(site.Places) > 0:
		return "many places"
	case site.Global != "":
		return site.Global
	case site.Memory == nil && site.Call == nil:
		return "variables"
	case site.Call != nil:
		return site.Call.Parent().String()
	}
	return site.Memory.Parent().String() + "#" + site.Path
}

// join lists the sites, those of one name once.
func join(sites []query.Site) string {
	var names []string
	for _, s := range sites {
		if name := s.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
