package query

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// IsConstructor tells whether calling fn returns a subject that was allocated by
// that call: fn allocates one, or calls a constructor, and returns it. Functions
// with a receiver of the subject's type count too (a Clone method is one).
func (s *Subject) IsConstructor(fn *ssa.Function) bool {
	known, ok := s.constructors[fn]
	if !ok {
		known = s.returnsFresh(fn, nil)
		if s.constructors == nil {
			s.constructors = map[*ssa.Function]bool{}
		}
		s.constructors[fn] = known
	}
	return known
}

// returnsFresh is IsConstructor, with the functions being looked at.
func (s *Subject) returnsFresh(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] || fn.Blocks == nil || !s.isResult(fn.Signature) {
		return false
	}
	if seen == nil {
		seen = map[*ssa.Function]bool{}
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			if s.isPointer(v.Type()) && s.isFresh(v, map[ssa.Value]bool{}, seen) {
				return true
			}
		}
	}
	return false
}

// isFresh follows a returned pointer back to an allocation or a constructor call.
func (s *Subject) isFresh(v ssa.Value, visited map[ssa.Value]bool, seen map[*ssa.Function]bool) bool {
	if visited[v] {
		return false
	}
	visited[v] = true
	switch v := v.(type) {
	case *ssa.Alloc:
		return s.Is(v.Type().Underlying().(*types.Pointer).Elem())
	case *ssa.Phi:
		for _, e := range v.Edges {
			if s.isFresh(e, visited, seen) {
				return true
			}
		}
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		return callee != nil && s.returnsFresh(callee, seen)
	case *ssa.Extract:
		return s.isFresh(v.Tuple, visited, seen)
	case *ssa.ChangeType:
		return s.isFresh(v.X, visited, seen)
	case *ssa.MakeInterface:
		return s.isFresh(v.X, visited, seen)
	case *ssa.UnOp:
		// A result or variable that lives in memory, because a closure or
		// a defer uses it: what is stored there.
		if cell, ok := v.X.(*ssa.Alloc); ok {
			for _, r := range *cell.Referrers() {
				if store, ok := r.(*ssa.Store); ok && store.Addr == cell && s.isFresh(store.Val, visited, seen) {
					return true
				}
			}
		}
	}
	return false
}

// isReturned tells whether fn may return what the instruction makes. A call counts
// always: its constructor is asked about its own objects.
func (s *Subject) isReturned(fn *ssa.Function, made ssa.Instruction) bool {
	alloc, ok := made.(*ssa.Alloc)
	if !ok {
		return true
	}
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range ret.Results {
				if mayBe(v, alloc, map[ssa.Value]bool{}) {
					return true
				}
			}
		}
	}
	return false
}

// mayBe follows a value back to the allocation.
func mayBe(v ssa.Value, alloc *ssa.Alloc, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc:
		return v == alloc
	case *ssa.Phi:
		for _, e := range v.Edges {
			if mayBe(e, alloc, seen) {
				return true
			}
		}
	case *ssa.MakeInterface:
		return mayBe(v.X, alloc, seen)
	case *ssa.ChangeType:
		return mayBe(v.X, alloc, seen)
	case *ssa.UnOp:
		cell, ok := v.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		for _, r := range *cell.Referrers() {
			if store, ok := r.(*ssa.Store); ok && store.Addr == cell && mayBe(store.Val, alloc, seen) {
				return true
			}
		}
	}
	return false
}

// isResult tells whether a result is a pointer to the subject or an interface
// (behind which one can be).
func (s *Subject) isResult(sig *types.Signature) bool {
	for r := range sig.Results().Variables() {
		if s.isPointer(r.Type()) {
			return true
		}
	}
	return false
}

// isPointer tells whether values of type t can point to a subject.
func (s *Subject) isPointer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return s.Is(u.Elem())
	case *types.Interface:
		return s.Type != nil && u.NumMethods() > 0 && s.implements(u)
	}
	return false
}

// implements tells whether a pointer to the subject has the methods of the interface.
func (s *Subject) implements(i *types.Interface) bool {
	known, ok := s.interfaces[i]
	if !ok {
		known = types.Implements(types.NewPointer(s.Type), i)
		if s.interfaces == nil {
			s.interfaces = map[*types.Interface]bool{}
		}
		s.interfaces[i] = known
	}
	return known
}
