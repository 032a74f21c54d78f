package random

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestPrograms type-checks many programs.
func TestPrograms(t *testing.T) {
	fset := token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	for seed := range int64(1200) {
		text := []func(int64) string{Program, Shape, Locking}[seed%3](seed / 3)
		file, err := parser.ParseFile(fset, "main.go", text, 0)
		if err == nil {
			_, err = config.Check("main", fset, []*ast.File{file}, nil)
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}
