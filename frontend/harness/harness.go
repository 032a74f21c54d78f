// Package harness makes entry points for code that has no main function of its
// own: a program that runs the tests of a package as package testing does, and a
// most general client of a library. Both are Go source that is type-checked and
// built beside the program, so that later stages see one more main package.
//
// The package decides what runs, and what may run at the same time. It does not
// analyse what runs.
package harness

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// Entry is a program to be checked: packages, and the main package that runs them.
type Entry struct {
	Name    string        // of what runs, as "example.com/p.test"
	Program *load.Program // as if only the packages had been named that run
	Main    *ssa.Package

	// Of the clients of a library:
	Type   *types.Named // that is checked
	Made   []Made       // where its objects are made
	Owned  bool         // its objects are parts of those that are made there
	Limits []string     // what the claim is limited to
	Of     string       // the path of the package that they call, where that is one of several named

	clients *clientWriter // that wrote it; nil for other programs
}

// Roots returns the functions that run: the others are called.
func (e Entry) Roots() []*ssa.Function {
	return []*ssa.Function{e.Main.Func("init"), e.Main.Func("main")}
}

// InReach returns the packages that the program is made of, by their paths.
func (e Entry) InReach() map[string]*types.Package { return load.InReach(e.Main.Pkg) }

// IsLibrary tells whether clients call what the entry is about.
func (e Entry) IsLibrary() bool { return e.clients != nil }

// Repeats tells whether a call is one by which a function that clients have handed over does what clients do.
func (e Entry) Repeats(site ssa.CallInstruction) bool {
	if !e.IsLibrary() || !e.Program.IsGenerated(site.Parent().Pos()) {
		return false
	}
	load, ok := site.Common().Value.(*ssa.UnOp)
	if !ok {
		return false
	}
	captured, ok := load.X.(*ssa.FreeVar)
	return ok && captured.Name() == again
}

// IsWithin tells whether clients call functions of a package only, and make their objects by these.
func (e Entry) IsWithin(pkg *types.Package) bool {
	return e.clients != nil && !slices.ContainsFunc(e.clients.called, func(fn *types.Func) bool { return fn.Pkg() != pkg })
}

// IsOfZeroValue tells whether clients make their objects as zero values.
func (e Entry) IsOfZeroValue() bool {
	return e.clients != nil && len(e.clients.makers) > 0 && e.clients.makers[0].fn == nil
}

// Source returns the text of the clients; "" of other programs.
func (e Entry) Source() string {
	if e.clients == nil {
		return ""
	}
	return e.clients.source()
}

// UnderTest returns the package that external tests are of, where the program is those and
// has no tests in the package itself.
func (e Entry) UnderTest() []*ssa.Package {
	path, isTest := strings.CutSuffix(e.Name, ".test")
	named := func(pkg *ssa.Package) bool { return pkg.Pkg.Path() == path }
	if !isTest || slices.ContainsFunc(e.Program.Packages, named) {
		return nil
	}
	for _, pkg := range e.Program.Imported() {
		if named(pkg) {
			return []*ssa.Package{pkg}
		}
	}
	return nil
}

// Mains returns an entry for each main package named.
func Mains(p *load.Program) []Entry {
	var all []Entry
	for _, main := range p.Mains() {
		all = append(all, Entry{Name: main.Pkg.Path(), Program: p, Main: main})
	}
	return all
}

// build type-checks the source of a main package, which may import the packages
// in reach, and builds its SSA form.
func build(p *load.Program, path, source string, reach importer) (*ssa.Package, error) {
	file, err := parser.ParseFile(p.SSA.Fset, load.Generated, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("harness of %s: %w", path, err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	var wrong error // but for what is not used
	config := types.Config{Importer: reach, DisableUnusedImportCheck: true, Error: func(err error) {
		if typed, ok := err.(types.Error); wrong == nil && !(ok && typed.Soft) {
			wrong = err
		}
	}}
	checked, _ := config.Check(path, p.SSA.Fset, []*ast.File{file}, info)
	if wrong != nil {
		return nil, fmt.Errorf("harness of %s: %w", path, wrong)
	}
	pkg := p.SSA.CreatePackage(checked, []*ast.File{file}, info, false)
	pkg.Build()
	return pkg, nil
}

// importer finds packages that have been loaded already, by their paths.
type importer map[string]*types.Package

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) {
	if pkg, ok := i[path]; ok {
		return pkg, nil
	}
	return nil, fmt.Errorf("package %s is not part of the program", path)
}
