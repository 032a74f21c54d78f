package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// listed is a position at which the static half knows of an access to a field.
type listed struct {
	set        int
	field, pos string
}

// findContents notes that a field of a class has elements, if it is a slice or map.
func (r *rewriter) findContents(from owned, t types.Type) {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Slice, *types.Map:
		key := types.TypeString(t.Underlying(), packagePath)
		r.contents[key] = append(r.contents[key], from)
	}
}

// findAliases finds the fields whose elements are accessed through variables: only these are asked
// where they lead to.
func (r *rewriter) findAliases(p *packages.Package) {
	for _, syntax := range p.Syntax {
		ast.Inspect(syntax, func(n ast.Node) bool {
			if x, at := indexed(n); x != nil {
				for _, h := range r.aliasHits(p.TypesInfo, x, at) {
					r.leads[h.field.number] = true
				}
			}
			return true
		})
	}
}

// indexed returns the operand of which an expression accesses elements, and where.
func indexed(n ast.Node) (ast.Expr, token.Pos) {
	switch n := n.(type) {
	case *ast.IndexExpr:
		return n.X, n.Lbrack
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 && (id.Name == "delete" || id.Name == "clear" || id.Name == "copy") {
			x := ast.Unparen(n.Args[0])
			if s, ok := x.(*ast.SliceExpr); ok {
				x = s.X
			}
			return x, n.Lparen
		}
	}
	return nil, token.NoPos
}

// aliasHits returns the fields whose slice or map a local variable may be when its elements are
// accessed at a position: those that the static half knows to be, or all of that type if it knows nothing.
func (r *rewriter) aliasHits(info *types.Info, x ast.Expr, at token.Pos) []hit {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok || len(r.contents) == 0 {
		return nil
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	var all []hit
	for _, o := range r.contents[types.TypeString(v.Type().Underlying(), packagePath)] {
		if len(r.listed) == 0 || r.listed[listed{o.field.set, o.field.name, r.position(at)}] {
			all = append(all, hit{class: o.class, field: o.field, offset: "0", contents: true})
		}
	}
	return all
}

// elementHits is aliasHits for an expression.
func (f *file) elementHits(n ast.Expr) ([]hit, ast.Expr, token.Pos) {
	x, at := indexed(n)
	if x == nil || f.scope == nil {
		return nil, nil, at
	}
	return f.aliasHits(f.info, x, at), ast.Unparen(x), at
}

// index rewrites a read of an element.
func (f *file) index(n *ast.IndexExpr) (string, bool) {
	if s, ok := f.wholeValue(n); ok {
		return s, true
	}
	hits, x, at := f.elementHits(n)
	if len(hits) == 0 {
		return "", false
	}
	return f.load("&"+f.raw(x), hits, at) + f.text(n.X.End(), n.Index.Pos()) + f.render(n.Index) + f.text(n.Index.End(), n.End()), true
}

// alias returns the target that is an element, or in an element, of what a variable holds.
func (f *file) alias(e ast.Expr) (t target, ok bool) {
	for inner := e; ; {
		switch n := ast.Unparen(inner).(type) {
		case *ast.IndexExpr:
			if hits, x, at := f.elementHits(n); len(hits) > 0 {
				return target{e: e, hits: hits, inside: true, owner: x, at: at}, true
			}
			inner = n.X
		case *ast.SelectorExpr:
			if isPointer(f.info.TypeOf(n.X)) {
				return t, false
			}
			inner = n.X
		default:
			return t, false
		}
	}
}
