package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// An array that is a field, or a variable of a package, has elements that are locations of their own, at their
// addresses, as those of a slice, if the program does nothing with the array but to look at its elements, slice it,
// or take its length. One that is somewhere copied, assigned to, compared or handed on as a whole, itself or in what
// it is a part of, is one location, since such an access is to all elements.

// arrays are those that are one location.
type arrays struct {
	whole map[string]bool // positions of fields and variables
	all   bool            // some access to a whole array is through a pointer, and nobody knows to which one
}

// findArrays looks through the packages of the user.
func (r *rewriter) findArrays(all []*packages.Package) {
	r.arrays = arrays{whole: map[string]bool{}}
	for _, pkg := range all {
		if !isOwn(pkg, r.module) {
			continue
		}
		for _, file := range pkg.Syntax {
			a := &arrayUses{rewriter: r, info: pkg.TypesInfo}
			ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
				a.node(n, stack)
				return true
			})
		}
	}
}

// arrayUses finds the accesses to whole arrays in a file.
type arrayUses struct {
	*rewriter
	info *types.Info
}

func (a *arrayUses) node(n ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.RangeStmt:
		if n.Value != nil && a.info.TypeOf(n.Value) != nil { // a copy of each element
			a.markType(a.info.TypeOf(n.Value))
		}
		if t := a.info.TypeOf(n.X); n.Value != nil && isPointer(t) {
			a.arrays.all = true
		}
	case *ast.SelectorExpr:
		if s := a.info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
			if recv := s.Obj().(*types.Func).Signature().Recv(); recv != nil && !isPointer(recv.Type()) {
				a.markType(recv.Type())
			}
		}
	}
	e, ok := n.(ast.Expr)
	if !ok || !a.info.Types[e].IsValue() || !hasArray(a.info.TypeOf(e)) {
		return
	}
	switch e.(type) {
	case *ast.CompositeLit, *ast.CallExpr, *ast.TypeAssertExpr, *ast.ParenExpr, *ast.FuncLit:
		return // a new value, or what is looked at by itself
	}
	if !isPart(e, stack, a.info) {
		a.mark(e)
	}
}

// isPart tells whether only a part of a value, or its address or length, is asked for.
func isPart(e ast.Expr, stack []ast.Node, info *types.Info) bool {
	at := ast.Node(e)
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.ParenExpr:
			at = n
			continue
		case *ast.IndexExpr:
			return n.X == at
		case *ast.SliceExpr:
			return n.X == at
		case *ast.SelectorExpr:
			return n.X == at
		case *ast.UnaryExpr:
			return n.Op == token.AND
		case *ast.RangeStmt:
			return n.X == at && n.Value == nil
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if !ok || n.Fun == at {
				return false
			}
			_, isBuiltin := info.Uses[id].(*types.Builtin)
			return isBuiltin && (id.Name == "len" || id.Name == "cap")
		}
		return false
	}
	return false
}

// hasArray tells whether values of a type are arrays, or have some in them.
func hasArray(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Array:
		return true
	case *types.Struct:
		for v := range t.Fields() {
			if hasArray(v.Type()) {
				return true
			}
		}
	}
	return false
}

// mark notes an access to all of a value.
func (a *arrayUses) mark(e ast.Expr) {
	a.markType(a.info.TypeOf(e))
	if !isArray(a.info.TypeOf(e)) {
		return
	}
	for {
		switch n := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			if !isArray(a.info.TypeOf(n.X)) {
				return // an element of a slice, which is no field
			}
			e = n.X
			continue
		case *ast.SelectorExpr:
			if v, ok := a.info.Uses[n.Sel].(*types.Var); ok {
				a.arrays.whole[a.position(v.Pos())] = true
			}
		case *ast.Ident:
			if v, ok := a.info.Uses[n].(*types.Var); ok {
				a.arrays.whole[a.position(v.Pos())] = true
			}
		default:
			a.arrays.all = true
		}
		return
	}
}

// markType notes an access to all of some value of a type: to the arrays that are fields of it.
func (a *arrayUses) markType(t types.Type) {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Array:
		a.markType(t.Elem())
	case *types.Struct:
		for v := range t.Fields() {
			if hasArray(v.Type()) {
				a.arrays.whole[a.position(v.Pos())] = true
				a.markType(v.Type())
			}
		}
	}
}

// isOne tells whether an array, or the one that it is an element of, is a location of a field or a variable, elements
// included.
func (f *file) isOne(x ast.Expr) bool {
	for {
		n, ok := ast.Unparen(x).(*ast.IndexExpr)
		if !ok || !isArray(f.info.TypeOf(n.X)) {
			break
		}
		x = n.X
	}
	if !isArray(f.info.TypeOf(x)) || len(f.watchedHits(x)) == 0 {
		return false
	}
	if !f.full || f.arrays.all {
		return true
	}
	var v types.Object
	switch n := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		v = f.info.Uses[n.Sel]
	case *ast.Ident:
		v = f.info.Uses[n]
	}
	return v == nil || f.arrays.whole[f.position(v.Pos())]
}
