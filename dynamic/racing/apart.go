package racing

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Apart returns the files of a package, by name, so that none of its functions becomes a part of another package's,
// where what it does would count as an access of that: each that is called from there is not inlined. Generic
// functions are compiled where they are called, and what they do with their operands counts as that of the caller.
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
		var at []int
		for _, d := range parsed[name].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !isGeneric(fn) && !isPure(fn) &&
				(fn.Name.IsExported() || called[fn.Name.Name]) && fn.Name.Name != "init" {
				at = append(at, fset.Position(fn.Pos()).Offset)
			}
		}
		for _, offset := range slices.Backward(at) {
			text = text[:offset] + "//go:noinline\n" + text[offset:]
		}
		apart[name] = text
	}
	return apart, nil
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
func isPure(fn *ast.FuncDecl) bool {
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
	called := map[ast.Node]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[n.Fun] = true
		case *ast.SelectorExpr:
			pure = pure && called[n]
		case *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr:
			pure = false
		}
		return true
	})
	return pure
}

// isOwn tells whether a function is one of the packages that are added to the program, and does nothing for a caller.
func isOwn(function string) bool {
	return strings.HasPrefix(function, "empire/") && !strings.Contains(function, "[")
}
