package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// Where a program is recorded in full, it is noted which reads give what is used so that nil would panic, and which
// writes set nil: the order of the two, and of the first write, is what matters then.

// nils is where that is, by the position of the access.
type nils struct {
	uses map[token.Pos]*types.Var
	sets map[token.Pos]bool
}

// findNils finds these places in the file.
func (f *file) findNils() {
	f.nils = nils{map[token.Pos]*types.Var{}, map[token.Pos]bool{}}
	if !f.full {
		return
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			s := f.info.Selections[n]
			if s != nil && (s.Kind() == types.FieldVal && isPointer(f.info.TypeOf(n.X)) ||
				s.Kind() == types.MethodVal && types.IsInterface(f.info.TypeOf(n.X))) {
				f.usesNil(n.X)
			}
		case *ast.StarExpr:
			f.usesNil(n.X)
		case *ast.CallExpr:
			f.usesNil(n.Fun)
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if x, ok := l.(*ast.IndexExpr); ok {
					if _, isMap := f.info.TypeOf(x.X).Underlying().(*types.Map); isMap {
						f.usesNil(x.X)
					}
				}
				if len(n.Lhs) == len(n.Rhs) && f.info.Types[n.Rhs[i]].IsNil() {
					f.nils.sets[watch.Position(l)] = true
				}
			}
		}
		return true
	})
}

// usesNil notes that nil would panic in the place of an expression, if it is a variable.
func (f *file) usesNil(e ast.Expr) {
	e = ast.Unparen(e)
	if v := variableOf(f.info, e); v != nil {
		f.nils.uses[watch.Position(e)] = v
	}
}

// variableOf is the field or variable that an expression is.
func variableOf(info *types.Info, e ast.Expr) *types.Var {
	switch x := e.(type) {
	case *ast.Ident:
		v, _ := info.Uses[x].(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := info.Uses[x.Sel].(*types.Var)
		return v
	}
	return nil
}

// markNil completes the site of an access.
func (f *file) markNil(s trace.Site, at token.Pos) trace.Site {
	if !f.full {
		return s
	}
	if v := f.nils.uses[at]; v != nil && s.Kind == "read" {
		at := f.position(v.Pos())
		s.Uses, s.FromNil = true, v.IsField() && !f.filled[at] || f.bare[at]
	}
	s.SetsNil = s.Kind == "write" && f.nils.sets[at]
	return s
}

// findMade finds the fields that a composite literal gives a value, and the variables that are declared without one, by
// where they are declared.
func (r *rewriter) findMade(all []*packages.Package) {
	r.filled, r.bare = map[string]bool{}, map[string]bool{}
	if !r.full {
		return
	}
	note := func(v *types.Var) { r.filled[r.position(v.Pos())] = true }
	for _, pkg := range all {
		if !isOwn(pkg, r.module) {
			continue
		}
		for _, file := range pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					fields := structOf(pkg.TypesInfo.TypeOf(n))
					for i, e := range n.Elts {
						pair, isPair := e.(*ast.KeyValueExpr)
						if !isPair && fields != nil && i < fields.NumFields() {
							note(fields.Field(i))
						} else if isPair {
							if id, ok := pair.Key.(*ast.Ident); ok {
								if v, ok := pkg.TypesInfo.Uses[id].(*types.Var); ok && v.IsField() {
									note(v)
								}
							}
						}
					}
				case *ast.ValueSpec:
					for _, id := range n.Names {
						if v, ok := pkg.TypesInfo.Defs[id].(*types.Var); ok && len(n.Values) == 0 {
							r.bare[r.position(v.Pos())] = true
						}
					}
				}
				return true
			})
		}
	}
}
