package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestForgetTypes forgets what was noted, but for what is in generic functions and methods of generic types.
func TestForgetTypes(t *testing.T) {
	const source = `package p

type list[T any] struct{ first T }

func (l *list[T]) get() T { inMethod := l.first; return inMethod }

func plain() int { inPlain := 1; return inPlain }

func generic[T any](x T) T { inGeneric := x; return inGeneric }

var inVariable = generic(1)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	forgetTypes(&packages.Package{PkgPath: "p", Syntax: []*ast.File{file}, TypesInfo: info})
	var left []string
	for name := range info.Defs {
		left = append(left, name.Name)
	}
	slices.Sort(left)
	if want := []string{"T", "T", "generic", "get", "inGeneric", "inMethod", "l", "x"}; !slices.Equal(left, want) {
		t.Errorf("definitions of %q are left, want %q", left, want)
	}
	for name := range info.Instances {
		if at := fset.Position(name.Pos()).Line; at != 5 {
			t.Errorf("the instance in line %d is left", at)
		}
	}
	for e := range info.Types {
		if at := fset.Position(e.Pos()).Line; at != 5 && at != 9 {
			t.Errorf("the type of an expression in line %d is left", at)
		}
	}
}
