package query

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// Name returns the full name of the subject's type, "" for package variables.
func (s *Subject) Name() string {
	if s.Type == nil {
		return ""
	}
	return fullName(s.Type)
}

// Package returns the package that declares the type, or the first of the variables, or makes the memory; nil of
// nothing.
func (s *Subject) Package() *types.Package {
	if s.Type != nil {
		return s.Type.Obj().Pkg()
	}
	if s.Local != nil {
		return PackageOf(s.Local.Parent())
	}
	if len(s.Vars) == 0 {
		return nil
	}
	return s.Vars[s.Fields[0]].Pkg.Pkg
}

// Declared returns where a field of the atomic set is declared: the indices of the
// fields along its path.
func (s *Subject) Declared(field int) []int {
	if s.Type == nil {
		return []int{field}
	}
	var indices []int
	t := types.Type(s.Type)
	for _, part := range strings.Split(s.Fields[field], ".") {
		structure, ok := t.Underlying().(*types.Struct)
		if !ok {
			break
		}
		for i := range structure.NumFields() {
			if f := structure.Field(i); f.Name() == part {
				indices, t = append(indices, i), f.Type()
				break
			}
		}
	}
	return indices
}

// IsFieldType tells whether t is the type of a field of the atomic set, or a
// pointer to it: a type of the program's own, not a basic one.
func (s *Subject) IsFieldType(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	if s.Type == nil {
		return s.isVarType(named)
	}
	structure := s.Type.Underlying().(*types.Struct)
	for f := range structure.Fields() {
		field := f.Type()
		if p, ok := field.Underlying().(*types.Pointer); ok {
			field = p.Elem()
		}
		other, ok := types.Unalias(field).(*types.Named)
		if !ok || other.Origin().Obj() != named.Origin().Obj() {
			continue
		}
		if s.hasField(f.Name()) {
			return true
		}
	}
	return false
}

// IsEmbedded tells whether the field path leads through embedded fields only, so
// that the methods of what is there are promoted to the subject's type.
func (s *Subject) IsEmbedded(path string) bool {
	if s.Type == nil {
		return false
	}
	t := types.Type(s.Type)
	for _, part := range strings.Split(path, ".") {
		structure, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		found := false
		for f := range structure.Fields() {
			if f.Name() == part && f.Embedded() {
				t, found = f.Type(), true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// IsUnitForType tells whether the default policy makes parameters of type t join
// the atomic set: the subject's type, a pointer to it, or an interface of the main
// module that it implements.
func (s *Subject) IsUnitForType(p *load.Program, t types.Type) bool {
	if s.Type == nil || s.IsSelfOrPointer(t) {
		return s.Type != nil
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !isInModule(p, named.Obj().Pkg().Path()) {
		return false
	}
	iface, ok := named.Underlying().(*types.Interface)
	return ok && iface.NumMethods() > 0 && types.Implements(types.NewPointer(s.Type), iface)
}

// UnitForDirective returns the parameters named by //empire:unitfor directives in
// the function's comment; ok is false if there is none.
func UnitForDirective(fn *ssa.Function) (named map[string]bool, ok bool) {
	named = map[string]bool{}
	for _, line := range knowledge.CommentOf(fn) {
		if rest, is := strings.CutPrefix(line.Text, "//empire:unitfor "); is {
			ok = true
			for _, name := range strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' }) {
				named[name] = true
			}
		}
	}
	return named, ok
}
