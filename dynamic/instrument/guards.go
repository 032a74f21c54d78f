package instrument

import (
	"go/ast"
	"go/types"
)

// Package hook relies on seeing who holds a lock: while it is held, what is done under it need not be made known. Where
// a program has operations on locks that get no hooks, it must not.

// hidesLocks tells whether a file may have locks taken or given up where nobody sees it: by a method that is a value,
// or by code that is not rewritten and gets the lock.
func (f *file) hidesLocks() bool {
	called := map[ast.Expr]bool{}
	hides := false
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
			hides = hides || f.takesLock(f.callee(n))
		case *ast.CompositeLit:
			named := namedOf(f.info.TypeOf(n))
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					e = pair.Value
				}
				hides = hides || named != nil && f.isForeign(named.Obj().Pkg()) && isLock(f.info.TypeOf(e))
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
					o := f.info.Uses[s.Sel]
					hides = hides || o != nil && f.isForeign(o.Pkg()) && isLock(o.Type())
				}
			}
		case *ast.SelectorExpr:
			hides = hides || f.hidesLock(n, called[n])
		}
		return !hides
	})
	return hides
}

// takesLock tells whether a function whose code is not rewritten takes a lock.
func (f *file) takesLock(fn *types.Func) bool {
	if fn == nil || !f.isForeign(fn.Pkg()) {
		return false
	}
	for v := range fn.Signature().Params().Variables() {
		if isLock(v.Type()) || elements(v.Type()) != nil && isLock(elements(v.Type())) {
			return true
		}
	}
	return false
}

// hidesLock tells whether a method of a lock gets no hook.
func (f *file) hidesLock(s *ast.SelectorExpr, isCalled bool) bool {
	fn, ok := f.info.Uses[s.Sel].(*types.Func)
	if !ok || fn.Signature().Recv() == nil || !lockMethods[fn.Name()] {
		return false
	}
	selection := f.info.Selections[s]
	if _, ok := hookOf(fn); ok {
		return !isCalled || selection == nil || selection.Kind() != types.MethodVal
	}
	return types.IsInterface(fn.Signature().Recv().Type())
}

var lockMethods = map[string]bool{"Lock": true, "Unlock": true, "RLock": true, "RUnlock": true, "TryLock": true,
	"TryRLock": true}

// isForeign tells whether code of a package is not rewritten, and its operations on locks are not known.
func (f *file) isForeign(p *types.Package) bool {
	return p != nil && p.Path() != "sync" && !f.isOwnPackage(p)
}

// isLock tells whether values of a type are locks of package sync, or interfaces that may hold one.
func isLock(t types.Type) bool {
	if t == nil {
		return false
	}
	if named := namedOf(t); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
		name := named.Obj().Name()
		return name == "Mutex" || name == "RWMutex" || name == "Locker"
	}
	if !types.IsInterface(t) {
		return false
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if lockMethods[set.At(i).Obj().Name()] {
			return true
		}
	}
	return false
}
