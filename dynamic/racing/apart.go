package racing

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// Apart returns the files of a package, by name, so that none of its functions becomes a part of another package's,
// where what it does would count as an access of that: each that is called from there is not inlined. Generic
// functions are compiled where they are called. What such a one does with its operands counts as that of the caller;
// one that accesses only what belongs to the package accesses nothing that counts.
func Apart(files map[string]string) (map[string]string, error) {
	fset := token.NewFileSet()
	parsed, called := map[string]*ast.File{}, map[string]bool{}
	for name, text := range files {
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed[name] = f
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isGeneric(fn) {
				ast.Inspect(fn, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						called[id.Name] = true
					}
					return true
				})
			}
		}
	}
	apart := map[string]string{}
	for name, text := range files {
		var at []pragma
		for _, d := range parsed[name].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !isGeneric(fn) && !isPure(fn, parsed[name]) &&
				(fn.Name.IsExported() || called[fn.Name.Name]) && fn.Name.Name != "init" {
				at = append(at, pragma{fset.Position(fn.Pos()).Offset, "//go:noinline\n"})
			} else if ok && isGeneric(fn) && hasFields(fn, parsed[name]) && !followsOperands(fn) {
				at = append(at, pragma{fset.Position(fn.Pos()).Offset, "//go:norace\n"})
			}
		}
		for _, p := range slices.Backward(at) {
			text = text[:p.offset] + p.text + text[p.offset:]
		}
		apart[name] = text
	}
	return apart, nil
}

// pragma is what the compiler is told of the function at an offset.
type pragma struct {
	offset int
	text   string
}

// hasFields tells whether a function uses fields: any selector but that of a call, or of what a package has.
func hasFields(fn *ast.FuncDecl, of *ast.File) (found bool) {
	packages := map[string]bool{}
	for _, i := range of.Imports {
		packages[path.Base(strings.Trim(i.Path.Value, `"`))] = true
	}
	called := map[ast.Node]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[n.Fun] = true
		case *ast.SelectorExpr:
			x, _ := n.X.(*ast.Ident)
			found = found || !called[n] && (x == nil || !packages[x.Name])
		}
		return true
	})
	return found
}

// followsOperands tells whether a generic function may access what its operands lead to.
func followsOperands(fn *ast.FuncDecl) bool {
	found, called := false, map[ast.Node]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[n.Fun] = true // an index there is a type
			id, _ := n.Fun.(*ast.Ident)
			found = found || id != nil && (id.Name == "append" || id.Name == "copy" || id.Name == "clear")
		case *ast.IndexExpr:
			found = found || !called[n]
		case *ast.RangeStmt:
			found = found || n.Value != nil
		case *ast.StarExpr, *ast.SliceExpr:
			found = true
		}
		return true
	})
	return found
}

// isGeneric tells whether a function has type parameters, or is a method of a type that has.
func isGeneric(fn *ast.FuncDecl) bool {
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		t := fn.Recv.List[0].Type
		if p, ok := t.(*ast.StarExpr); ok {
			t = p.X
		}
		switch t.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			return true
		}
	}
	return fn.Type.TypeParams != nil
}

// isPure tells whether a function only computes something of its operands, none of which is a pointer: it accesses no
// memory.
func isPure(fn *ast.FuncDecl, of *ast.File) bool {
	if len(fn.Body.List) != 1 {
		return false
	}
	if _, ok := fn.Body.List[0].(*ast.ReturnStmt); !ok {
		return false
	}
	fields := fn.Type.Params.List
	if fn.Recv != nil {
		fields = append(slices.Clone(fields), fn.Recv.List...)
	}
	pure := true
	for _, f := range fields {
		_, ok := f.Type.(*ast.Ident)
		pure = pure && ok
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr:
			pure = false
		}
		return true
	})
	return pure && !hasFields(fn, of)
}

// isOwn tells whether a function is one of the packages that are added to the program, and does nothing for a caller.
func isOwn(function string) bool {
	return strings.HasPrefix(function, "empire/") && !strings.Contains(function, "[")
}
