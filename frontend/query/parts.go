package query

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// IsPartMaker tells whether fn makes a part of a subject: it returns memory that it has
// allocated, directly or by calling another such function, whose type is that of a field
// of the atomic set. What it returns to two callers is told apart.
func (s *Subject) IsPartMaker(fn *ssa.Function) bool {
	known, ok := s.makers[fn]
	if !ok {
		if s.makers == nil {
			s.makers = map[*ssa.Function]bool{}
		}
		known = s.makesPart(fn, map[*ssa.Function]bool{})
		s.makers[fn] = known
	}
	return known
}

// makesPart is IsPartMaker, with the functions being looked at.
func (s *Subject) makesPart(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] || fn.Blocks == nil || fn.Parent() != nil {
		return false
	}
	seen[fn] = true
	for i := range fn.Signature.Results().Len() {
		if !s.isPartType(fn.Signature.Results().At(i).Type()) {
			continue
		}
		for _, b := range fn.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) &&
				s.isFreshPart(ret.Results[i], seen) {
				return true
			}
		}
	}
	return false
}

// isFreshPart follows a returned value back to an allocation.
func (s *Subject) isFreshPart(v ssa.Value, seen map[*ssa.Function]bool) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Heap
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return true
	case *ssa.Phi:
		for _, e := range v.Edges {
			if _, again := e.(*ssa.Phi); !again && s.isFreshPart(e, seen) {
				return true
			}
		}
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		return callee != nil && s.makesPart(callee, seen)
	case *ssa.Extract:
		return s.isFreshPart(v.Tuple, seen)
	case *ssa.ChangeType:
		return s.isFreshPart(v.X, seen)
	case *ssa.MakeInterface:
		return s.isFreshPart(v.X, seen)
	}
	return false
}

// isPartType tells whether t is the type of a field of the atomic set, a pointer to it,
// or implements it.
func (s *Subject) isPartType(t types.Type) bool {
	if s.IsFieldType(t) {
		return true
	}
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && s.isBehindField(named)
}

// isBehindField tells whether a field of the set is an interface of the program's own
// that pointers to the type implement.
func (s *Subject) isBehindField(named *types.Named) bool {
	if s.Type == nil {
		return false
	}
	for f := range s.Type.Underlying().(*types.Struct).Fields() {
		declared, ok := types.Unalias(f.Type()).(*types.Named)
		if !ok || !s.isNearby(declared) || !s.hasField(f.Name()) {
			continue
		}
		if i, ok := declared.Underlying().(*types.Interface); ok && i.NumMethods() > 0 && hasMethods(named, i) {
			return true
		}
	}
	return false
}

// hasMethods tells whether pointers to the type have methods with the names of those of
// the interface: two instances of a generic type are one type here.
func hasMethods(named *types.Named, i *types.Interface) bool {
	for m := range i.Methods() {
		if found, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, m.Pkg(), m.Name()); found == nil {
			return false
		}
	}
	return true
}

// isNearby tells whether a type is declared in packages like the subject's own, not in
// the standard library.
func (s *Subject) isNearby(named *types.Named) bool {
	if named.Obj().Pkg() == nil {
		return false // error
	}
	first, _, _ := strings.Cut(named.Obj().Pkg().Path(), "/")
	own, _, _ := strings.Cut(s.Type.Obj().Pkg().Path(), "/")
	return first == own || strings.Contains(first, ".")
}

// hasField tells whether the field, or a part of it, is in the atomic set.
func (s *Subject) hasField(name string) bool {
	for _, path := range s.Fields {
		if path == name || strings.HasPrefix(path, name+".") {
			return true
		}
	}
	return false
}
