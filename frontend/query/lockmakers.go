package query

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// MakesLock tells whether fn is a factory of locks: it returns a lock, or a struct that may be
// used as one, that it has allocated, directly or by calling another such function. Each
// call makes another lock, so what it returns to two callers is told apart.
func (s *Subject) MakesLock(fn *ssa.Function) bool {
	if !s.returnsLocker(fn) {
		return false
	}
	known, ok := s.lockMakers[fn]
	if !ok {
		if s.lockMakers == nil {
			s.lockMakers = map[*ssa.Function]bool{}
		}
		s.lockMakers[fn] = false // while it is being found out
		known = s.makesLock(fn)
		s.lockMakers[fn] = known
	}
	return known
}

func (s *Subject) returnsLocker(fn *ssa.Function) bool {
	for v := range fn.Signature.Results().Variables() {
		if s.isLocker(v.Type()) {
			return true
		}
	}
	return false
}

func (s *Subject) makesLock(fn *ssa.Function) bool {
	if fn.Blocks == nil || fn.Parent() != nil {
		return false
	}
	for i := range fn.Signature.Results().Len() {
		if !s.isLocker(fn.Signature.Results().At(i).Type()) {
			continue
		}
		for _, b := range fn.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) && s.isFreshLock(ret.Results[i]) {
				return true
			}
		}
	}
	return false
}

// isFreshLock follows a returned value back to an allocation.
func (s *Subject) isFreshLock(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Heap
	case *ssa.Phi:
		for _, e := range v.Edges {
			if _, again := e.(*ssa.Phi); !again && s.isFreshLock(e) {
				return true
			}
		}
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		return callee != nil && s.MakesLock(callee)
	case *ssa.Extract:
		return s.isFreshLock(v.Tuple)
	case *ssa.ChangeType:
		return s.isFreshLock(v.X)
	case *ssa.ChangeInterface:
		return s.isFreshLock(v.X)
	case *ssa.MakeInterface:
		return s.isFreshLock(v.X)
	}
	return false
}

// isLocker tells whether values of the type have methods Lock and Unlock, as a pointer to a
// mutex or to a struct that embeds one, and sync.Locker.
func (s *Subject) isLocker(t types.Type) bool {
	is, known := s.lockers[t]
	if !known {
		if s.lockers == nil {
			s.lockers = map[types.Type]bool{}
		}
		is = hasMethod(t, "Lock") && hasMethod(t, "Unlock")
		s.lockers[t] = is
	}
	return is
}

// hasMethod tells whether values of the type have the exported method.
func hasMethod(t types.Type, name string) bool {
	found, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	_, is := found.(*types.Func)
	return is
}
