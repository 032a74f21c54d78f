package harness

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// testingModel is declarations that take the place of some of package testing.
//
//go:embed testing.model
var testingModel string

// replaced is put before the names of the functions that the model replaces: they
// stay, so that what they import is still used.
const replaced = "modelReplaced"

// ParseWithModel parses a Go file. Into package testing it puts the model of what
// that does.
func ParseWithModel(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
	const mode = parser.AllErrors | parser.ParseComments | parser.SkipObjectResolution
	file, err := parser.ParseFile(fset, filename, src, mode)
	if err != nil || !isStandardTesting(filename, file) {
		return file, err
	}
	model, err := parser.ParseFile(fset, filepath.Join(filepath.Dir(filename), "model.go"), testingModel,
		parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("model of package testing: %w", err)
	}
	own := map[string]bool{}
	for _, decl := range model.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			own[functionName(fn)] = true
		}
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && own[functionName(fn)] {
			fn.Name.Name = replaced + fn.Name.Name
		}
	}
	if filepath.Base(filename) == "testing.go" {
		addDeclarations(file, model)
	}
	return file, nil
}

// isStandardTesting tells whether the file is one of package testing of the
// standard library.
func isStandardTesting(filename string, file *ast.File) bool {
	return file.Name.Name == "testing" && strings.HasSuffix(filepath.ToSlash(filepath.Dir(filename)), "/src/testing")
}

// functionName names a function or method within its package.
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if pointer, ok := t.(*ast.StarExpr); ok {
		t = pointer.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// addDeclarations adds the functions and variables of the model to the file, and
// the fields of its structs to those that the file has.
func addDeclarations(file, model *ast.File) {
	structs := map[string]*ast.StructType{}
	eachStruct(file, func(name string, s *ast.StructType) { structs[name] = s })
	eachStruct(model, func(name string, s *ast.StructType) {
		if to := structs[name]; to != nil {
			to.Fields.List = append(to.Fields.List, s.Fields.List...)
		}
	})
	for _, decl := range model.Decls {
		if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.TYPE {
			continue
		}
		file.Decls = append(file.Decls, decl)
	}
}

// eachStruct calls visit for each struct type that the file declares.
func eachStruct(file *ast.File, visit func(string, *ast.StructType)) {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok {
				if s, ok := t.Type.(*ast.StructType); ok {
					visit(t.Name.Name, s)
				}
			}
		}
	}
}
