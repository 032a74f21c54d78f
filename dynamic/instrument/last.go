package instrument

import (
	"go/ast"
	"go/types"
)

// unlocksLast are the hooks of operations that end critical sections and have a form for the last one of
// a function. Others are let in by that, so it is good to know that the function accesses nothing more.
var unlocksLast = map[string]bool{"Unlock": true, "WUnlock": true, "RUnlock": true}

// lastCalls returns the calls behind which a function accesses nothing and calls nothing: that of its first deferred
// statement, which is carried out last, if nothing else is deferred in a way that could come after it; and, where
// nothing is deferred, those before a return or the end of the body.
func (f *file) lastCalls(t *ast.FuncType, body *ast.BlockStmt) map[*ast.CallExpr]bool {
	last, defers := map[*ast.CallExpr]bool{}, deferred(body)
	if len(defers) > 0 {
		if d, ok := firstStatement(body, defers); ok {
			last[d.Call] = true
		}
		return last
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			f.lastIn(n.List, n == body && t.Results == nil, last)
		case *ast.CaseClause:
			f.lastIn(n.Body, false, last)
		}
		return true
	})
	return last
}

// lastIn notes the call before a return among statements, or at the end of the body.
func (f *file) lastIn(list []ast.Stmt, isBody bool, last map[*ast.CallExpr]bool) {
	n := len(list)
	if n == 0 {
		return
	}
	at := list[n-1]
	if r, ok := at.(*ast.ReturnStmt); ok && n > 1 {
		for _, e := range r.Results {
			if !f.touchesNothing(e) {
				return
			}
		}
		at = list[n-2]
	} else if !isBody {
		return
	}
	if s, ok := at.(*ast.ExprStmt); ok {
		if call, ok := s.X.(*ast.CallExpr); ok {
			last[call] = true
		}
	}
}

// touchesNothing tells whether an expression is made of constants and local variables only.
func (f *file) touchesNothing(e ast.Expr) bool {
	quiet := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, ok := f.info.Uses[n].(*types.Var)
			quiet = quiet && (!ok || !v.IsField() && v.Parent() != v.Pkg().Scope())
		case *ast.BasicLit, *ast.ParenExpr, *ast.BinaryExpr, nil:
		default:
			quiet = false
		}
		return quiet
	})
	return quiet
}

// deferred returns the statements of a body that defer calls, in order, without those of literals in it.
func deferred(body *ast.BlockStmt) []*ast.DeferStmt {
	var all []*ast.DeferStmt
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			all = append(all, n)
		}
		return true
	})
	return all
}

// firstStatement returns the first of the deferring statements if it is one of the body itself and before any
// return: all others are carried out before it.
func firstStatement(body *ast.BlockStmt, defers []*ast.DeferStmt) (*ast.DeferStmt, bool) {
	for _, s := range body.List {
		if s == ast.Stmt(defers[0]) {
			return defers[0], true
		}
		switch s.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			return nil, false
		}
	}
	return nil, false
}
