package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Of a set of which the static half says nothing, the types say which expressions may access what a
// field leads to: elements of a slice or map through local variables, fields of the structs
// that are behind pointers. The hooks find out whether they do.

// owned is a field that may lead to objects of a type.
type owned struct {
	class *class
	field field
}

// findOwned finds the types that the fields of a class may lead to: structs of the user's packages that
// are not watched themselves and have no lock of their own, and elements of slices and maps.
func (r *rewriter) findOwned(c *class, t types.Type) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range s.NumFields() {
		for _, w := range c.fields {
			if w.name != s.Field(i).Name() {
				continue
			}
			from, field := owned{c, w}, s.Field(i).Type()
			switch types.Unalias(field).Underlying().(type) {
			case *types.Slice, *types.Map:
				r.leading[w.number] = true
				if !r.known[w.set] {
					key := types.TypeString(field.Underlying(), packagePath)
					r.contents[key] = append(r.contents[key], from)
				}
			case *types.Pointer:
				r.leading[w.number] = true
				if !r.known[w.set] {
					r.reach(from, field, map[string]bool{})
				}
			}
		}
	}
}

// reach notes the types that a type leads to.
func (r *rewriter) reach(from owned, t types.Type, seen map[string]bool) {
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !r.own[packagePath(named.Obj().Pkg())] || r.classOf(named) != nil {
		return
	}
	s, ok := named.Underlying().(*types.Struct)
	name := packagePath(named.Obj().Pkg()) + "." + named.Obj().Name()
	if !ok || seen[name] || hasLock(s) {
		return
	}
	seen[name] = true
	r.owned[name] = append(r.owned[name], from)
	r.leads[from.field.number] = true
	for i := range s.NumFields() {
		r.reach(from, s.Field(i).Type(), seen)
	}
}

func hasLock(s *types.Struct) bool {
	for i := range s.NumFields() {
		if strings.HasPrefix(strings.TrimPrefix(types.Unalias(s.Field(i).Type()).String(), "*"), "sync.") {
			return true
		}
	}
	return false
}

// findAliases finds the fields whose elements are accessed through variables: only these are asked
// where they lead to.
func (r *rewriter) findAliases(p *packages.Package) {
	if len(r.contents) == 0 {
		return
	}
	for _, syntax := range p.Syntax {
		ast.Inspect(syntax, func(n ast.Node) bool {
			if x, _ := indexed(n); x != nil {
				for _, h := range r.aliasHits(p.TypesInfo, x, n.Pos()) {
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
		if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 &&
			(id.Name == "delete" || id.Name == "clear" || id.Name == "copy") {
			x := ast.Unparen(n.Args[0])
			if s, ok := x.(*ast.SliceExpr); ok {
				x = s.X
			}
			return x, n.Lparen
		}
	}
	return nil, token.NoPos
}

// aliasHits returns the fields whose slice or map a local variable may be.
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
		all = append(all, hit{class: o.class, field: o.field, reached: true})
	}
	return all
}

// ownedHits returns the accesses to what fields lead to, if steps select a field of such a
// type through a pointer.
func (f *file) ownedHits(steps []step) []hit {
	var all []hit
	for i := len(steps) - 1; i >= 0; i-- {
		if !isPointer(steps[i].owner) {
			continue
		}
		named := namedOf(steps[i].owner)
		if named == nil || named.Obj().Pkg() == nil {
			return nil
		}
		for _, o := range f.rewriter.owned[packagePath(named.Obj().Pkg())+"."+named.Obj().Name()] {
			all = append(all, hit{class: o.class, field: o.field, reached: true})
		}
		return all
	}
	return nil
}
