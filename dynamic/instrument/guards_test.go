package instrument

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestHidesLocks is which bodies of functions may have locks taken or given up where no hook sees it.
func TestHidesLocks(t *testing.T) {
	for body, want := range map[string]bool{
		"mu.Lock(); defer mu.Unlock()":  false,
		"s.Lock(); s.Unlock()":          false,
		"l.Lock(); l.Unlock()":          false,
		"sync.NewCond(&mu).Wait()":      false,
		"_ = sync.Cond{L: &mu}":         false,
		"fmt.Println(s)":                false,
		"own(&mu)":                      false,
		"unlock := mu.Unlock; unlock()": true,
		"defer func() func() { mu.Lock(); return mu.Unlock }()()": true,
		"(*sync.Mutex).Unlock(&mu)":                               true,
		"time.AfterFunc(1, s.Unlock)":                             true,
		"var u interface{ Unlock() } = &mu; u.Unlock()":           true,
		"r.RLock()":              true,
		"lib.Use(&mu)":           true,
		"lib.UseAll(&mu)":        true,
		"_ = lib.T{L: &mu}":      true,
		"var t lib.T; t.L = &mu": true,
	} {
		fset := token.NewFileSet()
		parse := func(name, text string) *ast.File {
			syntax, err := parser.ParseFile(fset, name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			return syntax
		}
		std := importer.Default()
		lib, err := (&types.Config{Importer: std}).Check("lib", fset, []*ast.File{parse("lib.go", `package lib
import "sync"
type T struct{ L sync.Locker }
func Use(l sync.Locker) {}
func UseAll(l ...*sync.Mutex) {}
`)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		syntax := parse("p.go", `package p
import ("fmt"; "lib"; "sync"; "time")
var (
	mu sync.Mutex
	s = &struct{ sync.Mutex }{}
	l sync.Locker
	r interface{ RLock() }
	_ = fmt.Println
	_ = lib.Use
	_ = time.Now
)
func own(*sync.Mutex) {}
func f() { `+body+` }
`)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
			Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		pkg, err := (&types.Config{Importer: with{std, lib}}).Check("p", fset, []*ast.File{syntax}, info)
		if err != nil {
			t.Fatal(err)
		}
		f := &file{rewriter: &rewriter{own: map[string]bool{"p": true}}, pkg: &packages.Package{Types: pkg}, info: info,
			syntax: syntax}
		if got := f.hidesLocks(); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}

// with is an importer that knows one package more.
type with struct {
	types.Importer
	lib *types.Package
}

func (w with) Import(path string) (*types.Package, error) {
	if path == w.lib.Path() {
		return w.lib, nil
	}
	return w.Importer.Import(path)
}
