package candidates

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Discipline is which lock guards which fields of a type, or which variables of a package, by all accesses
// after construction that the programs make: found by the same evidence as the candidates.
type Discipline struct {
	Type     string // with the path of its package; "" for the variables of a package
	Pos      string // where the type is declared, or the first variable
	Locks    []LockDiscipline
	Loose    []Guarded // written after construction, with no lock
	Constant []string  // not written after construction
}

// LockDiscipline is what a lock guards.
type LockDiscipline struct {
	Lock   string // as a Candidate's Guard
	Own    bool   // it is of the object, or a variable that guards variables
	Pos    string // where it is declared, with the column; "" if that is not in the type, or not a variable of the package
	Fields []Guarded
}

// Guarded is a field, or a variable, and how it is accessed.
type Guarded struct {
	Name     string
	Accesses int
	Atomic   bool   // all accesses are atomic operations
	Claim    string // where a comment says that this lock guards it; "" if none does
	Unheld   []Unheld
}

// Unheld is an access at which the lock is not held.
type Unheld struct {
	Pos      string // with the column
	Function string
	Write    bool
	Shared   bool // it is a write, and the lock is held for reading
	Atomic   bool
}

// disciplines returns what is known of all types and variables that a lock guards.
func (f *finder) disciplines() (all []Discipline) {
	for _, o := range f.owners {
		if !f.isAskedFor(o) {
			continue
		}
		t := o.variants[0].Type
		d := f.discipline(o.fields, func(lock string) token.Pos { return fieldAt(t, lock) })
		d.Type, d.Pos = o.name, f.position(o.declared)
		all = append(all, d)
	}
	for _, v := range f.packages {
		d := f.discipline(v.fields, func(lock string) token.Pos { return f.variableAt(v, lock) })
		d.Pos = f.position(group{fields: v.fields}.first())
		d.Loose, d.Constant = nil, nil // variables that have nothing to do with a lock are no part of it
		all = append(all, d)
	}
	return slices.DeleteFunc(all, func(d Discipline) bool { return len(d.Locks) == 0 })
}

// discipline sorts fields by the locks that guard them. declared says where an own lock is declared.
func (f *finder) discipline(fields []*field, declared func(lock string) token.Pos) (d Discipline) {
	byLock := map[guard]*LockDiscipline{}
	for _, x := range fields {
		g := x.guard()
		switch {
		case len(x.accesses) == 0:
		case !x.isMutable():
			d.Constant = append(d.Constant, x.name)
		case g.name == "":
			d.Loose = append(d.Loose, Guarded{Name: x.name, Accesses: len(x.accesses), Atomic: x.isAtomic()})
		default:
			if byLock[g] == nil {
				byLock[g] = &LockDiscipline{Lock: g.name, Own: g.own}
				if pos := declared(g.name); g.own && pos.IsValid() {
					byLock[g].Pos = f.Programs[0].Position(pos).String()
				}
			}
			byLock[g].Fields = append(byLock[g].Fields, f.guarded(x, g))
		}
	}
	for _, l := range byLock {
		d.Locks = append(d.Locks, *l)
	}
	slices.SortFunc(d.Locks, func(a, b LockDiscipline) int {
		return cmp.Or(compareBools(b.Own, a.Own), cmp.Compare(a.Lock, b.Lock))
	})
	return d
}

// guarded says where the lock of a field is not held.
func (f *finder) guarded(x *field, g guard) Guarded {
	out := Guarded{Name: x.name, Accesses: len(x.accesses), Atomic: x.isAtomic()}
	if x.claim.guard == g {
		out.Claim = f.position(x.claim.pos)
	}
	for _, a := range x.sorted() {
		if u := a.failing(g); u != nil {
			out.Unheld = append(out.Unheld, Unheld{
				Pos: f.Programs[0].Position(u.pos).String(), Function: f.functionName(a.fn), Write: u.kind&writes != 0,
				Shared: u.guards[g] == reading, Atomic: u.kind&atomically != 0,
			})
		}
	}
	return out
}

// fieldAt returns where a field of a type is declared, that of a part of it for a dotted name.
func fieldAt(t types.Type, name string) token.Pos {
	if v := fieldNamed(t, name); v != nil {
		return v.Pos()
	}
	return token.NoPos
}

// fieldNamed returns a field of a type, a field of a part of it for a dotted name; nil if it has none.
func fieldNamed(t types.Type, name string) *types.Var {
	first, rest, isNested := strings.Cut(name, ".")
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if structure, ok := t.Underlying().(*types.Struct); ok {
		for v := range structure.Fields() {
			switch {
			case v.Name() != first:
			case isNested:
				return fieldNamed(v.Type(), rest)
			default:
				return v
			}
		}
	}
	return nil
}

// variableAt returns where a variable of a package is declared.
func (f *finder) variableAt(v *vars, name string) token.Pos {
	_, short, _ := strings.Cut(name, ".")
	for _, p := range f.asLoaded() {
		for _, pkg := range p.Packages {
			if pkg.Pkg.Path() != v.path {
				continue
			}
			if obj := pkg.Pkg.Scope().Lookup(short); obj != nil {
				return obj.Pos()
			}
		}
	}
	return token.NoPos
}
