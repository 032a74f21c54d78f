package instrument

import (
	"go/ast"
	"sort"
	"strings"
)

// The names that rewritten files use.
const (
	hookName   = "empirehook"
	unsafeName = "empireunsafe"
	gName      = "empireG"
	seenName   = "empireSeen"
)

// render returns the text of a node, rewritten.
func (f *file) render(n ast.Node) string {
	text, ok := f.replace(n)
	if !ok {
		text = f.children(n)
	}
	if e, ok := n.(ast.Expr); ok && len(f.behind[e]) > 0 {
		text = f.handed(text, f.info.TypeOf(e), f.behind[e])
	}
	return f.yielding(n, f.escaped(n, text))
}

// children returns the text of a node with its children rewritten.
func (f *file) children(n ast.Node) string {
	var b strings.Builder
	at := n.Pos()
	for _, c := range childrenOf(n) {
		if c.Pos() < at || c.End() > n.End() {
			continue
		}
		b.WriteString(f.text(at, c.Pos()))
		b.WriteString(f.render(c))
		at = c.End()
	}
	b.WriteString(f.text(at, n.End()))
	return b.String()
}

// childrenOf returns the children of a node, by position, without comments.
func childrenOf(n ast.Node) []ast.Node {
	var all []ast.Node
	ast.Inspect(n, func(c ast.Node) bool {
		switch c.(type) {
		case nil:
			return false
		case *ast.CommentGroup, *ast.Comment:
			return false
		}
		if c == n {
			return true
		}
		all = append(all, c)
		return false
	})
	sort.SliceStable(all, func(i, j int) bool { return all[i].Pos() < all[j].Pos() })
	return all
}

// replace returns the text of a node that is rewritten itself.
func (f *file) replace(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.FuncLit:
		return f.text(n.Pos(), n.Body.Pos()) + f.function(n, n.Type, n.Body, ""), true
	case *ast.SelectorExpr:
		return f.selector(n)
	case *ast.Ident:
		return f.ident(n)
	case *ast.IndexExpr:
		return f.index(n)
	case *ast.SliceExpr:
		return f.sliced(n)
	case *ast.StarExpr:
		return f.star(n)
	case *ast.UnaryExpr:
		return f.unary(n)
	case *ast.CallExpr:
		return f.call(n)
	case *ast.ExprStmt:
		return f.callStmt(n)
	case *ast.BinaryExpr:
		f.hand(n.OpPos, n.X, n.Y)
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && f.isField(key) {
			return f.text(n.Pos(), n.Value.Pos()) + f.render(n.Value), true
		}
	case *ast.AssignStmt:
		f.markStored(n)
		return f.keepLines(n, f.assign)
	case *ast.DeclStmt:
		return f.declared(n)
	case *ast.CompositeLit:
		return f.literal(n)
	case *ast.IncDecStmt:
		return f.incDec(n)
	case *ast.ValueSpec:
		return f.valueSpec(n)
	case *ast.SendStmt:
		return f.send(n)
	case *ast.GoStmt:
		return f.goStmt(n)
	case *ast.ForStmt:
		return f.forStmt(n, n), true
	case *ast.RangeStmt:
		return f.rangeStmt(n, n), true
	case *ast.SelectStmt:
		return f.selectStmt(n, n), true
	case *ast.LabeledStmt:
		return f.labeled(n)
	}
	return "", false
}

// labeled rewrites what has to stand before or after a labelled statement with its label.
func (f *file) labeled(n *ast.LabeledStmt) (string, bool) {
	switch s := n.Stmt.(type) {
	case *ast.ForStmt:
		return f.forStmt(n, s), true
	case *ast.RangeStmt:
		return f.rangeStmt(n, s), true
	case *ast.SelectStmt:
		return f.selectStmt(n, s), true
	}
	return "", false
}

// hook is the text of a call of a hook that gets the goroutine.
func (f *file) hook(name string, arguments ...string) string {
	f.use()
	return hookName + "." + name + "(" + strings.Join(append([]string{gName}, arguments...), ", ") + ")"
}

// method is the text of a call of a method of the goroutine.
func (f *file) method(name string, arguments ...string) string {
	f.use()
	return gName + "." + name + "(" + strings.Join(arguments, ", ") + ")"
}

// use notes that the function needs its goroutine.
func (f *file) use() {
	f.changed = true
	if f.scope != nil {
		f.scope.used = true
	}
}

// keepLines rewrites an assignment, with as many lines as it has.
func (f *file) keepLines(n *ast.AssignStmt, rewrite func(*ast.AssignStmt) (string, bool)) (string, bool) {
	text, ok := rewrite(n)
	if lost := strings.Count(f.raw(n), "\n") - strings.Count(text, "\n"); ok && lost > 0 && f.scope != nil &&
		f.inBlock(n) {
		text += strings.Repeat("\n", lost)
	}
	return text, ok
}
