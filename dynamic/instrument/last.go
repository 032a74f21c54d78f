package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// unlocksLast are the hooks of operations that end critical sections and have a form for the last one of
// a function. Others are let in by that, so it is good to know that the function accesses nothing more.
var unlocksLast = map[string]bool{"Unlock": true, "WUnlock": true, "RUnlock": true}

// lasts finds the calls of a function behind which it accesses nothing and calls nothing.
type lasts struct {
	f      *file
	from   token.Pos // of the function's type
	body   *ast.BlockStmt
	defers []*ast.DeferStmt
	loops  []ast.Node
	calls  map[*ast.CallExpr]ast.Expr
}

// lastCalls returns the calls behind which a function accesses nothing and calls nothing, and for those of which that
// is so if a condition holds, the condition. That of its first deferred statement, which is carried out last, is one if
// nothing else is deferred in a way that could come after it; others are, where nothing is deferred before, if what can
// follow them up to the end of the function only looks at local variables and at fields that are in no set, and sends
// and receives messages.
func (f *file) lastCalls(t *ast.FuncType, body *ast.BlockStmt) map[*ast.CallExpr]ast.Expr {
	l := lasts{f: f, from: t.Params.Pos(), body: body, defers: deferred(body), calls: map[*ast.CallExpr]ast.Expr{}}
	if len(l.defers) > 0 {
		if d, ok := firstStatement(body, l.defers); ok {
			l.calls[d.Call] = nil
		}
	}
	isBack := false // a jump may lead back to what is deferred
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			l.loops = append(l.loops, n)
		case *ast.BranchStmt:
			isBack = isBack || n.Tok == token.GOTO
		}
		return true
	})
	if !isBack || len(l.defers) == 0 {
		l.walk(body.List, true)
	}
	return l.calls
}

// isDeferred tells whether something may have been deferred before a place.
func (l *lasts) isDeferred(at token.Pos) bool {
	return slices.ContainsFunc(l.defers, func(d *ast.DeferStmt) bool {
		return d.Pos() < at || slices.ContainsFunc(l.loops, func(n ast.Node) bool {
			return n.Pos() < d.Pos() && d.Pos() < n.End() && n.Pos() < at && at < n.End()
		})
	})
}

// walk looks for the calls in statements. Behind these nothing is accessed, or isLast is false.
func (l *lasts) walk(list []ast.Stmt, isLast bool) {
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if labeled, ok := s.(*ast.LabeledStmt); ok {
			s = labeled.Stmt
		}
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			switch {
			case !ok || l.isDeferred(s.Pos()):
			case isLast:
				l.calls[call] = nil
			case i+1 < len(list):
				if condition := l.leaves(list[i+1]); condition != nil {
					l.calls[call] = condition
				}
			}
		case *ast.BlockStmt:
			l.walk(s.List, isLast)
		case *ast.IfStmt:
			l.walk(s.Body.List, isLast)
			if s.Else != nil {
				l.walk([]ast.Stmt{s.Else}, isLast)
			}
		case *ast.ForStmt:
			l.walk(s.Body.List, false)
		case *ast.RangeStmt:
			l.walk(s.Body.List, false)
		case *ast.SwitchStmt:
			l.walkClauses(s.Body, isLast)
		case *ast.TypeSwitchStmt:
			l.walkClauses(s.Body, isLast)
		case *ast.SelectStmt:
			l.walkClauses(s.Body, isLast)
		}
		isLast = l.isHarmless(s, isLast)
	}
}

// walkClauses is walk for the clauses of a statement. Those that do not end there do so with a jump: that is not
// harmless.
func (l *lasts) walkClauses(body *ast.BlockStmt, isLast bool) {
	for _, c := range body.List {
		l.walk(clause(c), isLast)
	}
}

// clause returns the statements of a clause, or a statement that is none.
func clause(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.CaseClause:
		return s.Body
	case *ast.CommClause:
		return s.Body
	}
	return []ast.Stmt{s}
}

// leaves returns the condition under which a statement leaves the function, and accesses nothing before, nil if that is
// not known. It only looks at local variables that nobody else knows of.
func (l *lasts) leaves(s ast.Stmt) ast.Expr {
	n, ok := s.(*ast.IfStmt)
	if !ok || n.Init != nil || !l.f.touchesNothing(n.Cond) || l.f.mayPanic(n.Cond) || !l.areHarmless(n.Body.List, false) {
		return nil
	}
	isOwn := true
	ast.Inspect(n.Cond, func(c ast.Node) bool {
		if id, ok := c.(*ast.Ident); ok {
			if v, ok := l.f.info.Uses[id].(*types.Var); ok {
				isOwn = isOwn && !l.isKnown(v)
			}
		}
		return isOwn
	})
	if !isOwn {
		return nil
	}
	return n.Cond
}

// isKnown tells whether others may know a local variable: a function literal, or who has its address.
func (l *lasts) isKnown(v *types.Var) bool {
	switch types.Unalias(v.Type()).(type) {
	case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Chan:
	default:
		if !types.IsInterface(v.Type()) {
			return true // a method may take its address
		}
	}
	known := false
	ast.Inspect(l.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			known = known || l.names(n.Body, v)
			return false
		case *ast.UnaryExpr:
			known = known || n.Op == token.AND && l.names(n.X, v)
		}
		return !known
	})
	return known || v.Pos() < l.from || l.body.End() <= v.Pos()
}

// names tells whether a node names a variable.
func (l *lasts) names(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(c ast.Node) bool {
		id, ok := c.(*ast.Ident)
		found = found || ok && l.f.info.Uses[id] == v
		return !found
	})
	return found
}

// isHarmless tells whether nothing is accessed and nothing called in a statement and up to the end of the function,
// where isLast tells that of what is behind the statement.
func (l *lasts) isHarmless(s ast.Stmt, isLast bool) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return !l.isDeferred(s.Pos()) && l.touchNothing(s.Results...)
	case *ast.EmptyStmt:
		return isLast
	case *ast.ExprStmt:
		return isLast && l.touchNothing(s.X)
	case *ast.IncDecStmt:
		return isLast && l.touchNothing(s.X)
	case *ast.AssignStmt:
		return isLast && l.touchNothing(s.Lhs...) && l.touchNothing(s.Rhs...)
	case *ast.SendStmt:
		return isLast && l.touchNothing(s.Chan, s.Value)
	case *ast.BlockStmt:
		return l.areHarmless(s.List, isLast)
	case *ast.IfStmt:
		return (s.Init == nil || l.isHarmless(s.Init, true)) && l.touchNothing(s.Cond) &&
			l.isHarmless(s.Body, isLast) && (s.Else == nil && isLast || s.Else != nil && l.isHarmless(s.Else, isLast))
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			c := c.(*ast.CommClause)
			if c.Comm != nil && !l.isHarmless(c.Comm, true) || !l.areHarmless(c.Body, isLast) {
				return false
			}
		}
		return true
	}
	return false
}

// areHarmless is isHarmless for the statements of a list.
func (l *lasts) areHarmless(list []ast.Stmt, isLast bool) bool {
	for i := len(list) - 1; i >= 0; i-- {
		isLast = l.isHarmless(list[i], isLast)
	}
	return isLast
}

// touchNothing tells whether expressions are made of constants, local variables, fields that are in no set, and
// messages.
func (l *lasts) touchNothing(all ...ast.Expr) bool {
	for _, e := range all {
		if !l.isSimple(e) {
			return false
		}
		scope := *l.f.scope // which survey changes
		scope.heads, scope.loops = map[ast.Stmt]bool{}, map[ast.Stmt]map[int]bool{}
		outer := l.f.scope
		l.f.scope = &scope
		accessed := l.f.survey(&ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: e}}})
		if l.f.scope = outer; len(accessed) > 0 {
			return false
		}
	}
	return true
}

// isSimple tells whether that is so of an expression if no field in it is in a set.
func (l *lasts) isSimple(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		selection := l.f.info.Selections[e]
		return selection != nil && selection.Kind() == types.FieldVal && l.isSimple(e.X)
	case *ast.ParenExpr:
		return l.isSimple(e.X)
	case *ast.BinaryExpr:
		return l.isSimple(e.X) && l.isSimple(e.Y)
	case *ast.UnaryExpr:
		return e.Op != token.AND && l.isSimple(e.X)
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		tv := l.f.info.Types[e.Fun]
		name, ok := e.Fun.(*ast.Ident)
		return ok && tv.IsBuiltin() && (name.Name == "close" || name.Name == "len" || name.Name == "cap") &&
			l.isSimple(e.Args[0])
	}
	return l.f.touchesNothing(e)
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

// mayPanic tells whether the operators of such an expression may panic: those of numbers with some operands, and
// comparisons of what is in interfaces.
func (f *file) mayPanic(e ast.Expr) bool {
	may := false
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		if !ok {
			return !may
		}
		switch x.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			may = true
		case token.EQL, token.NEQ:
			isNil := f.info.Types[x.X].IsNil() || f.info.Types[x.Y].IsNil()
			may = may || !isNil && (!f.isBasic(x.X) || !f.isBasic(x.Y))
		}
		return !may
	})
	return may
}

// isBasic tells whether an expression is a number, a text or a boolean value.
func (f *file) isBasic(e ast.Expr) bool {
	_, is := f.info.TypeOf(e).Underlying().(*types.Basic)
	return is
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
