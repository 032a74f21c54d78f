// Package query resolves what a user names to what the program has: a type, some
// of its fields, an allocation site. No match, or several, is an error that lists
// what could have been meant.
package query

import (
	"fmt"
	"go/types"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Error is a name that matches nothing, or several things. It is one line.
type Error struct {
	What string // the flag and its value, as "--type Vectr"
	Why  string // and what to write instead
}

func (e *Error) Error() string { return e.What + ": " + e.Why }

// Subject is the type and the atomic set of a query.
type Subject struct {
	Type   *types.Named           // its origin, if it is generic; nil for package variables
	Fields []string               // the atomic set: field paths, dotted for nested structs; or names of variables
	Vars   map[string]*ssa.Global // the package variables, by their names in Fields
	Local  ssa.Value              // the memory that a function makes, in place of these: see LocalSubject

	// Races: it is asked about data races. What refers to synchronisation, as a channel in a field, is written and read
	// as anything else.
	Races bool

	// Others are types with a lock of their own that are checked on their own beside
	// this one: their objects are no contents of the fields.
	Others map[*types.TypeName]bool

	// Otherwise are fields of other types, by their paths, that are synchronised without
	// locks: they are no contents of the fields of this one, nor is what they lead to.
	Otherwise map[*types.TypeName][]string

	// Unlocked are types whose objects are never used with a lock held: they are no contents of the fields, which
	// one guards.
	Unlocked map[*types.TypeName]bool

	constructors map[*ssa.Function]bool    // answers of IsConstructor
	makers       map[*ssa.Function]bool    // answers of IsPartMaker
	lockMakers   map[*ssa.Function]bool    // answers of MakesLock
	lockers      map[types.Type]bool       // answers of isLocker
	interfaces   map[*types.Interface]bool // answers of implements
}

// Packages returns the packages that declare the type, or the variables.
func (s *Subject) Packages() (all []*types.Package) {
	if s.Type != nil || s.Local != nil {
		return []*types.Package{s.Package()}
	}
	for _, name := range s.Fields {
		all = append(all, s.Vars[name].Pkg.Pkg)
	}
	return all
}

// Is tells whether t is the subject's type or an instance of it.
func (s *Subject) Is(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && s.Type != nil && named.Origin().Obj() == s.Type.Obj()
}

// IsOther tells whether objects of type t are checked on their own: see Others.
func (s *Subject) IsOther(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && s.Others[named.Origin().Obj()]
}

// Methods returns the methods of the subject and of a pointer to it, promoted ones
// included.
func (s *Subject) Methods() map[*types.Func]bool {
	all := map[*types.Func]bool{}
	if s.Type != nil {
		for m := range types.NewMethodSet(types.NewPointer(s.Type)).Methods() {
			if f, ok := m.Obj().(*types.Func); ok {
				all[f.Origin()] = true
			}
		}
	}
	return all
}

// IsSelfOrPointer tells whether t is the subject's type or a pointer to it.
func (s *Subject) IsSelfOrPointer(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return s.Is(t)
}

// Within returns the field paths at which a value of type t holds the subject's
// type by value: "" for the type itself, dotted paths into structs, "[]" for
// elements of an array. A type cannot hold itself, so the search ends.
func (s *Subject) Within(t types.Type) []string {
	if s.Is(t) {
		return []string{""}
	}
	var paths []string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			for _, p := range s.Within(f.Type()) {
				paths = append(paths, pointsto.JoinPath(f.Name(), p))
			}
		}
	case *types.Array:
		for _, p := range s.Within(u.Elem()) {
			paths = append(paths, pointsto.JoinPath("[]", p))
		}
	}
	return paths
}

// ResolveSubject finds the type named Vector, pkg.Vector or by its full path, and
// its fields. Without fields it takes every field that is not synchronisation.
func ResolveSubject(p *load.Program, name string, fields []string) (*Subject, error) {
	named, err := resolveType(p, name)
	if err != nil {
		return nil, err
	}
	s := &Subject{Type: named}
	structure, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil, &Error{"--type " + name, "is not a struct type; name a type whose fields belong together"}
	}
	if len(fields) == 0 {
		s.Fields = DefaultFields(p, structure)
		if len(s.Fields) == 0 {
			return nil, &Error{"--type " + name, "has no field besides synchronisation; nothing can become inconsistent"}
		}
		return s, nil
	}
	for _, path := range fields {
		if err := checkField(named, structure, path); err != nil {
			return nil, err
		}
		s.Fields = append(s.Fields, path)
	}
	sort.Strings(s.Fields)
	for i := 1; i < len(s.Fields); i++ {
		if s.Fields[i] == s.Fields[i-1] {
			return nil, &Error{"--fields " + strings.Join(fields, ","), "names " + s.Fields[i] + " twice"}
		}
		if strings.HasPrefix(s.Fields[i], s.Fields[i-1]+".") {
			return nil, &Error{"--fields " + strings.Join(fields, ","),
				s.Fields[i] + " is a part of " + s.Fields[i-1] + "; name one of the two"}
		}
	}
	return s, nil
}

// GuardedTypes returns every struct type of the packages named that is made to be shared
// (see Usage.IsGuarded) and has other fields, by name.
func GuardedTypes(p *load.Program) []*types.Named {
	usage := UsageIn(p)
	return typesOf(p, func(named *types.Named) bool {
		return usage.IsGuarded(named) && len(DefaultFields(p, named.Underlying().(*types.Struct))) > 0
	})
}

// SynchronisedTypes returns every struct type of the packages named that has exported methods and, in a field, a
// channel, a lock or another object that goroutines wait for, by name.
func SynchronisedTypes(p *load.Program) []*types.Named {
	return typesOf(p, func(named *types.Named) bool {
		return hasSynchronisation(named) && slices.ContainsFunc(slices.Collect(named.Methods()), (*types.Func).Exported)
	})
}

// typesOf returns the types that are declared in the packages named and of which something is so, by name.
func typesOf(p *load.Program, is func(*types.Named) bool) (all []*types.Named) {
	for _, pkg := range p.Packages {
		scope := pkg.Pkg.Scope()
		for _, name := range scope.Names() {
			obj, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || obj.IsAlias() {
				continue
			}
			if named, ok := obj.Type().(*types.Named); ok && is(named) {
				all = append(all, named)
			}
		}
	}
	return all
}

func hasSynchronisation(named *types.Named) bool {
	structure, ok := named.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(structure.Fields()),
		func(f *types.Var) bool { return IsSynchronisation(f.Type()) })
}

// HasVariableLock tells whether a package named has a lock as a package variable, or in
// one; where that is of a type that has a name, only if functions also change other variables.
func HasVariableLock(p *load.Program) bool {
	for _, pkg := range p.Packages {
		for _, name := range pkg.Pkg.Scope().Names() {
			v, ok := pkg.Pkg.Scope().Lookup(name).(*types.Var)
			if !ok || !isLockOrAtomic(v.Type()) {
				continue
			}
			_, named := types.Unalias(v.Type()).(*types.Named)
			if !named || IsSynchronisation(v.Type()) || changesVariables(pkg) {
				return true
			}
		}
	}
	return false
}

// changesVariables tells whether a function of the package, besides those that initialise it,
// stores to a package variable.
func changesVariables(pkg *ssa.Package) bool {
	var changes func(fn *ssa.Function) bool
	changes = func(fn *ssa.Function) bool {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok {
					if g, ok := store.Addr.(*ssa.Global); ok && g.Pkg == pkg {
						return true
					}
				}
			}
		}
		return slices.ContainsFunc(fn.AnonFuncs, changes)
	}
	for name, member := range pkg.Members {
		switch m := member.(type) {
		case *ssa.Function:
			if !strings.HasPrefix(name, "init") && changes(m) {
				return true
			}
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok {
				for method := range named.Methods() {
					if fn := pkg.Prog.FuncValue(method); fn != nil && changes(fn) {
						return true
					}
				}
			}
		}
	}
	return false
}

// DefaultFields returns the fields that are not synchronisation, sorted.
func DefaultFields(p *load.Program, s *types.Struct) []string {
	var names []string
	for f := range s.Fields() {
		if IsLocation(p, f) {
			names = append(names, f.Name())
		}
	}
	sort.Strings(names)
	return names
}

// NamedStruct returns the origin of a named struct type, nil for others.
func NamedStruct(t types.Type) *types.Named {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return nil
	}
	return named.Origin()
}

// FieldNamed returns the field of a struct with the name, nil if it has none.
func FieldNamed(s *types.Struct, name string) *types.Var {
	for f := range s.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// IsReference tells whether values of the type refer to synchronisation, or to anything else, and are none themselves.
func IsReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Interface, *types.Signature, *types.Map, *types.Slice:
		return true
	}
	return false
}

// IsRaceLocation tells whether a field, or variable, can be in a data race.
func IsRaceLocation(p *load.Program, v *types.Var) bool {
	return v.Name() != "_" && (IsReference(v.Type()) || !IsSynchronisation(v.Type())) && !p.SpinLocks.IsLock(v)
}

// IsLocation tells whether a field, or package variable, can be part of an atomic set.
func IsLocation(p *load.Program, v *types.Var) bool {
	return v.Name() != "_" && !IsSynchronisation(v.Type()) && !p.SpinLocks.IsLock(v)
}

// HasLock tells whether a mutex is a field, by value or behind a pointer, or one of a struct that is embedded.
func HasLock(s *types.Struct) bool {
	for f := range s.Fields() {
		t := f.Type()
		if embedded, ok := t.Underlying().(*types.Struct); ok && f.Embedded() && HasLock(embedded) {
			return true
		}
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil &&
			named.Obj().Pkg().Path() == "sync" {
			if n := named.Obj().Name(); n == "Mutex" || n == "RWMutex" {
				return true
			}
		}
	}
	return false
}

// IsSignal tells whether values of the type, or what they point to, are something to wait for:
// a channel, a WaitGroup, a Once or a condition variable.
func IsSignal(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, isChan := t.Underlying().(*types.Chan); isChan {
		return true
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" &&
		slices.Contains([]string{"WaitGroup", "Once", "Cond"}, named.Obj().Name())
}

// IsGuarded tells whether the type is made to be shared: its fields hold a lock or an
// atomic by value, or point to a lock or to a condition variable, which has one.
func IsGuarded(named *types.Named) bool {
	structure, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range structure.Fields() {
		if isLockOrAtomic(f.Type()) || IsCond(f.Type()) {
			return true
		}
	}
	return HasLock(structure)
}

// IsCond tells whether the type is a condition variable, or a pointer to one.
func IsCond(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return isOfSync(t, "Cond")
}

// IsLock tells whether the type is a lock, or a condition variable, which has one.
func IsLock(t types.Type) bool { return isOfSync(t, "Mutex", "RWMutex", "Locker", "Cond") }

// isOfSync tells whether the type is one of package sync with one of the names.
func isOfSync(t types.Type, names ...string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" &&
		slices.Contains(names, named.Obj().Name())
}

// isLockOrAtomic tells whether a value of the type holds a lock or an atomic.
func isLockOrAtomic(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		switch path := named.Obj().Pkg().Path(); path {
		case "sync":
			switch named.Obj().Name() {
			case "Mutex", "RWMutex", "Locker", "Map", "Cond":
				return true
			}
			return false
		case "sync/atomic":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if isLockOrAtomic(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return u.Len() > 0 && isLockOrAtomic(u.Elem()) // [0]sync.Mutex is for go vet, and locks nothing
	}
	return false
}

// IsSynchronisation tells whether values of the type, or what it points to, are
// synchronisation objects, which are never locations.
func IsSynchronisation(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return IsSynchronisation(u.Elem())
	case *types.Chan:
		return true
	case *types.Array:
		return IsSynchronisation(u.Elem())
	case *types.Named:
		if pkg := u.Obj().Pkg(); pkg != nil {
			switch pkg.Path() + "." + u.Obj().Name() {
			case "sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "sync.Once", "sync.Cond", "sync.Locker",
				"context.Context", "context.CancelFunc", "golang.org/x/sync/errgroup.Group",
				"golang.org/x/sync/singleflight.Group", "golang.org/x/sync/semaphore.Weighted":
				return true
			}
		}
		_, isChan := u.Underlying().(*types.Chan)
		return isChan
	}
	return false
}

// HoldsSynchronisation tells whether values of the type have a synchronisation
// object in them.
func HoldsSynchronisation(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if IsSynchronisation(t) {
			return true
		}
		for f := range u.Fields() {
			if HoldsSynchronisation(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return u.Len() > 0 && HoldsSynchronisation(u.Elem())
	}
	return false
}

// endsWith tells whether a path ends with another one.
func endsWith(path, end string) bool {
	before, ok := strings.CutSuffix(path, end)
	return ok && strings.HasSuffix(before, "/")
}

// resolveType finds the named type among the packages named and, if the name says
// a package, among all that were loaded.
func resolveType(p *load.Program, name string) (*types.Named, error) {
	what := "--type " + name
	prefix, base := "", name
	if i := strings.LastIndex(name, "."); i >= 0 {
		prefix, base = name[:i], name[i+1:]
	}
	var matches []*types.Named
	for _, pkg := range p.Imported() {
		path := pkg.Pkg.Path()
		if prefix == "" && !isInModule(p, path) || prefix != "" && path != prefix && pkg.Pkg.Name() != prefix &&
			!endsWith(path, prefix) {
			continue
		}
		if obj, ok := pkg.Pkg.Scope().Lookup(base).(*types.TypeName); ok {
			if named, ok := types.Unalias(obj.Type()).(*types.Named); ok {
				matches = append(matches, named)
			}
		}
	}
	sort.Slice(matches, func(i, j int) bool { return fullName(matches[i]) < fullName(matches[j]) })
	if named := inNamedPackages(p, matches); len(named) > 0 {
		matches = named
	}
	switch len(matches) {
	case 1:
		return matches[0], nil
	case 0:
		return nil, &Error{what, "no such type; " + suggestTypes(p)}
	}
	var names []string
	for _, m := range matches {
		names = append(names, fullName(m))
	}
	return nil, &Error{what, "several types have that name; write one of " + strings.Join(names, ", ")}
}

// inNamedPackages returns the types that lie in a package named by the user.
func inNamedPackages(p *load.Program, all []*types.Named) []*types.Named {
	var in []*types.Named
	for _, t := range all {
		for _, pkg := range p.Packages {
			if t.Obj().Pkg() == pkg.Pkg {
				in = append(in, t)
			}
		}
	}
	return in
}

// isInModule tells whether the package is part of the main module.
func isInModule(p *load.Program, path string) bool {
	return p.InModule(path)
}

// suggestTypes lists the struct types of the packages named.
func suggestTypes(p *load.Program) string {
	var names []string
	for _, pkg := range p.Packages {
		for _, name := range pkg.Pkg.Scope().Names() {
			if obj, ok := pkg.Pkg.Scope().Lookup(name).(*types.TypeName); ok {
				if _, ok := obj.Type().Underlying().(*types.Struct); ok {
					names = append(names, name)
				}
			}
		}
	}
	sort.Strings(names)
	if len(names) == 0 {
		return "the packages named declare no struct type"
	}
	return "the packages named have " + list(names)
}

// fullName returns the type's name with its package path, without the parameters of
// a generic type.
func fullName(t *types.Named) string {
	if t.Obj().Pkg() == nil {
		return t.Obj().Name()
	}
	return t.Obj().Pkg().Path() + "." + t.Obj().Name()
}

// checkField tells what is wrong with a field path, if anything.
func checkField(named *types.Named, s *types.Struct, path string) error {
	what := "--fields " + path
	for i, part := range strings.Split(path, ".") {
		var field *types.Var
		var names []string
		for f := range s.Fields() {
			names = append(names, f.Name())
			if f.Name() == part {
				field = f
			}
		}
		if field == nil {
			return &Error{what, fmt.Sprintf("%s has no field %s; its fields are %s", named.Obj().Name(), part, list(names))}
		}
		if IsSynchronisation(field.Type()) {
			return &Error{what, "is synchronisation, which is never part of an atomic set; name the fields that it guards"}
		}
		if i == strings.Count(path, ".") {
			break
		}
		inner, ok := field.Type().Underlying().(*types.Struct)
		if !ok {
			return &Error{what, part + " is not a struct held by value, so it has no field to name; name " + part + " itself"}
		}
		s = inner
	}
	return nil
}

// list joins at most a dozen names.
func list(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
