package shared

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// Memory belongs to a struct type of the packages named that it is in a field of, else to the variable that it is in.
// What neither has in it, as the array of a slice, belongs to whatever leads there; and to the function that makes it,
// if nothing does. Objects of libraries belong to what holds their addresses, and what these lead to is left
// to the libraries.

// findOwners finds the memory that has an owner, and what leads there.
func (f *finder) findOwners() {
	f.own, f.holders = map[*pointsto.Object]bool{}, map[*pointsto.Object][]pointsto.Cell{}
	var work, all []*pointsto.Object
	seen := map[*pointsto.Object]bool{}
	add := func(o *pointsto.Object) {
		if !seen[o] {
			seen[o] = true
			work, all = append(work, o), append(all, o)
		}
	}
	for _, o := range f.graph.Objects() {
		if f.own[o] = f.isOwn(o); f.own[o] {
			add(o)
		}
	}
	for ; len(work) > 0; work = work[1:] {
		o := work[0]
		f.poll.Check()
		if !f.own[o] {
			continue // of a library
		}
		for _, c := range f.graph.Cells(o) {
			for _, d := range f.graph.Contents(c).Objects() {
				if f.isMemory(d) && !query.HoldsSynchronisation(d.Type) {
					f.holders[d] = append(f.holders[d], c)
					add(d)
				}
			}
		}
	}
	f.region = f.graph.Region(all...)
}

// isMemory tells whether an object can be written.
func (f *finder) isMemory(o *pointsto.Object) bool {
	switch v := o.Site.(type) {
	case *ssa.Alloc:
		return o.Type != nil && v.Comment != "varargs" // the callee has the elements
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.Global, *ssa.Call, *ssa.Convert:
		return o.Type != nil
	}
	return false
}

// isOwn tells whether an object is a variable of the packages named, or made by their functions, or of their types.
func (f *finder) isOwn(o *pointsto.Object) bool {
	if !f.isMemory(o) || query.IsSynchronisation(o.Type) && !query.IsReference(o.Type) {
		return false
	}
	if g, ok := o.Site.(*ssa.Global); ok {
		return f.isNamed(g.Pkg.Pkg) && !f.program.IsGenerated(g.Pos())
	}
	if named := query.NamedStruct(o.Type); named != nil && f.isNamed(named.Obj().Pkg()) {
		return true
	}
	fn := o.Site.Parent()
	if fn == nil {
		return false
	}
	return f.isNamed(query.PackageOf(fn)) && !f.program.IsGenerated(fn.Pos())
}

// isNamed tells whether a package is one of those named.
func (f *finder) isNamed(pkg *types.Package) bool {
	return pkg != nil && slices.ContainsFunc(f.program.Packages, func(p *ssa.Package) bool { return p.Pkg == pkg })
}

// owned is what subjects are made of: the fields that goroutines meet at, by the types that have them; variables; and
// memory that functions make.
type owned struct {
	fields map[*types.Named]map[string]bool
	vars   map[*ssa.Global]bool
	locals map[ssa.Value]bool
}

// subjects returns the subjects for some memory, sorted by what they are and where that is declared.
func (f *finder) subjects(met map[pointsto.Cell]bool) (all []*query.Subject) {
	found := &owned{map[*types.Named]map[string]bool{}, map[*ssa.Global]bool{}, map[ssa.Value]bool{}}
	for c := range met {
		f.addOwners(found, c, map[*pointsto.Object]bool{})
	}
	for _, t := range sortedByPos(found.fields, func(t *types.Named) token.Pos { return t.Obj().Pos() }) {
		s := &query.Subject{Type: t, Races: true, Fields: f.apart(t, found.fields[t])}
		isAsked := len(s.Fields) > 0
		for v := range t.Underlying().(*types.Struct).Fields() {
			if isFlag(v.Type()) && !slices.Contains(s.Fields, v.Name()) {
				s.Fields = append(s.Fields, v.Name())
			}
		}
		if slices.Sort(s.Fields); isAsked {
			all = append(all, s)
		}
	}
	var ofPackage *query.Subject
	for _, g := range sortedByPos(found.vars, (*ssa.Global).Pos) {
		if ofPackage == nil || ofPackage.Package() != g.Pkg.Pkg {
			ofPackage = &query.Subject{Vars: map[string]*ssa.Global{}, Races: true}
			addVariable(ofPackage, g)
			for _, m := range g.Pkg.Members {
				if flag, ok := m.(*ssa.Global); ok && isFlag(flag.Type().(*types.Pointer).Elem()) {
					addVariable(ofPackage, flag)
				}
			}
			all = append(all, ofPackage)
		}
		addVariable(ofPackage, g)
	}
	for _, v := range sortedByPos(found.locals, ssa.Value.Pos) {
		all = append(all, query.LocalSubject(v))
	}
	return all
}

// apart returns fields of a struct type of which none is a part of another one, in place of some, without those that
// synchronise.
func (f *finder) apart(t *types.Named, fields map[string]bool) (all []string) {
	for path := range fields {
		isPart := slices.ContainsFunc(slices.Collect(maps.Keys(fields)), func(other string) bool {
			return strings.HasPrefix(path, other+".")
		})
		if !isPart && f.isRaceLocation(t, path) {
			all = append(all, path)
		}
	}
	return all
}

// isRaceLocation tells whether a field, or a field of a struct in it, can be in a data race.
func (f *finder) isRaceLocation(t types.Type, path string) bool {
	for _, name := range strings.Split(path, ".") {
		structure, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		v := query.FieldNamed(structure, name)
		if v == nil || !query.IsRaceLocation(f.program, v) {
			return false
		}
		t = v.Type()
	}
	return true
}

// addVariable adds a package variable to a subject.
func addVariable(s *query.Subject, g *ssa.Global) {
	name := g.Pkg.Pkg.Name() + "." + g.Name()
	if s.Vars[name] == nil {
		s.Vars[name], s.Fields = g, append(s.Fields, name)
		slices.Sort(s.Fields)
	}
}

// isFlag tells whether values of the type are flags that order what comes before they are set: what the same object
// has is asked about with it.
func isFlag(t types.Type) bool { return types.Unalias(t).String() == "sync/atomic.Bool" }

// sortedByPos returns the keys of a map in the order of the source.
func sortedByPos[K comparable, V any](of map[K]V, pos func(K) token.Pos) (all []K) {
	for k := range of {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b K) int { return cmp.Compare(pos(a), pos(b)) })
	return all
}

// addOwners notes whose a cell is.
func (f *finder) addOwners(found *owned, c pointsto.Cell, seen map[*pointsto.Object]bool) {
	o := c.Object
	if t, field := f.fieldAt(o.Type, c.Path); t != nil {
		if found.fields[t] == nil {
			found.fields[t] = map[string]bool{}
		}
		found.fields[t][field] = true
		return
	}
	switch v := o.Site.(type) {
	case *ssa.Global:
		if f.own[o] && query.IsRaceLocation(f.program, v.Object().(*types.Var)) {
			found.vars[v] = true
		}
		return
	case *ssa.Alloc:
		if f.own[o] && query.IsVariable(v) {
			found.locals[v] = true
			return
		}
	}
	if seen[o] {
		return
	}
	seen[o] = true
	isHeld := false
	for _, holder := range f.holders[o] {
		if f.escapes[holder.Object] { // else it is a copy of somebody's own
			f.addOwners(found, holder, seen)
			isHeld = true
		}
	}
	if !isHeld && f.own[o] {
		found.locals[o.Site] = true
	}
}

// fieldAt returns the field at a path in a value whose type the memory there belongs to: of the innermost struct of the
// packages named that has a lock; else of the outermost one, if it is no element; nil if there is none. A field of a
// struct in it has a dotted path.
func (f *finder) fieldAt(t types.Type, path string) (owner *types.Named, field string) {
	isElement, isWithin := false, false // the latter: of a struct of the owner's, which is told apart
	for path != "" {
		part, rest := cutPath(path)
		path = rest
		switch u := t.Underlying().(type) {
		case *types.Struct:
			named := query.NamedStruct(t)
			isOwn := named != nil && f.isNamed(named.Obj().Pkg())
			switch {
			case isOwn && (owner == nil && !isElement || query.HasLock(named.Underlying().(*types.Struct))):
				owner, field, isWithin = named, part, true
			case isWithin && (isOwn || named == nil):
				field += "." + part
			default:
				isWithin = false
			}
			v := query.FieldNamed(u, part)
			if v == nil {
				return owner, field
			}
			t = v.Type()
		case interface{ Elem() types.Type }: // of an array, slice or map
			t, isElement, isWithin = u.Elem(), true, false
		default:
			return owner, field
		}
	}
	return owner, field
}

// cutPath returns the first field, or element, of a path.
func cutPath(path string) (part, rest string) {
	if end := strings.IndexByte(path, ']') + 1; path[0] == '[' {
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	if end := strings.IndexAny(path, ".["); end >= 0 {
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	return path, ""
}
