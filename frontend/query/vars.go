package query

import (
	"fmt"
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// ResolveVars returns the subject that is a set of package variables, each named
// pkg.Var or by its full path. Its fields are the variables' names.
func ResolveVars(p *load.Program, names []string) (*Subject, error) {
	s := &Subject{Vars: map[string]*ssa.Global{}}
	for _, name := range names {
		v, err := resolveVar(p, name)
		if err != nil {
			return nil, err
		}
		short := v.Pkg.Pkg.Name() + "." + v.Name()
		switch other := s.Vars[short]; {
		case other == v:
			return nil, &Error{"--vars " + strings.Join(names, ","), "names " + short + " twice; leave one out"}
		case other != nil:
			short = v.Pkg.Pkg.Path() + "." + v.Name()
		}
		s.Vars[short] = v
		s.Fields = append(s.Fields, short)
	}
	sort.Strings(s.Fields)
	return s, nil
}

// resolveVar finds one package variable.
func resolveVar(p *load.Program, name string) (*ssa.Global, error) {
	what := "--vars " + name
	dot := strings.LastIndex(name, ".")
	if dot <= 0 || dot == len(name)-1 {
		return nil, &Error{what, "is no package variable; write it as pkg.a"}
	}
	var matches []*ssa.Global
	var elsewhere []string
	for _, pkg := range p.Imported() {
		path, prefix := pkg.Pkg.Path(), name[:dot]
		if path != prefix && !strings.HasSuffix(path, "/"+prefix) && pkg.Pkg.Name() != prefix {
			continue
		}
		if v := pkg.Var(name[dot+1:]); v != nil {
			matches = append(matches, v)
		} else if isInModule(p, path) {
			elsewhere = append(elsewhere, variables(pkg)...)
		}
	}
	if len(matches) > 1 {
		var own []*ssa.Global
		for _, v := range matches {
			if isInModule(p, v.Pkg.Pkg.Path()) {
				own = append(own, v)
			}
		}
		if len(own) == 1 {
			matches = own
		}
	}
	switch {
	case len(matches) == 0 && len(elsewhere) > 0:
		return nil, &Error{what, "no such package variable; there is " + list(elsewhere)}
	case len(matches) == 0:
		return nil, &Error{what, "no such package variable; write it as pkg.a"}
	case len(matches) > 1:
		var paths []string
		for _, v := range matches {
			paths = append(paths, v.Pkg.Pkg.Path()+"."+v.Name())
		}
		return nil, &Error{what, "several package variables have that name; write one of " + list(paths)}
	}
	if IsSynchronisation(matches[0].Type().Underlying().(*types.Pointer).Elem()) {
		return nil,
			&Error{what, "is synchronisation, which is never part of an atomic set; name the variables that it guards"}
	}
	return matches[0], nil
}

// variables lists the variables of a package that can be part of a set.
func variables(pkg *ssa.Package) []string {
	var names []string
	for _, name := range pkg.Pkg.Scope().Names() {
		if v := pkg.Var(name); v != nil && !IsSynchronisation(v.Type().Underlying().(*types.Pointer).Elem()) {
			names = append(names, fmt.Sprintf("%s.%s", pkg.Pkg.Name(), name))
		}
	}
	return names
}

// Noun names what a query is about in identifiers.
func (s *Subject) Noun() string {
	if s.Type == nil {
		return "vars"
	}
	name := s.Type.Obj().Name()
	return strings.ToLower(name[:1]) + name[1:]
}

// isVarType is IsFieldType for package variables.
func (s *Subject) isVarType(named *types.Named) bool {
	for _, v := range s.Vars {
		t := v.Type().Underlying().(*types.Pointer).Elem()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if other, ok := types.Unalias(t).(*types.Named); ok && other.Origin().Obj() == named.Origin().Obj() {
			return true
		}
	}
	return false
}
