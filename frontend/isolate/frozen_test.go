package isolate

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// TestFrozen compares what is found out about fields with the comments in testdata/frozen.
func TestFrozen(t *testing.T) {
	initial, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, "./testdata/frozen")
	if err != nil || packages.PrintErrors(initial) > 0 {
		t.Fatal("not loaded", err)
	}
	program, built := ssautil.AllPackages(initial, ssa.InstantiateGenerics)
	program.Build()
	graph, err := pointsto.Analyze(t.Context(), pointsto.Config{
		Program: program, Roots: []*ssa.Function{built[0].Func("init"), built[0].Func("main")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for of, fields := range wantedFields(initial[0]) {
		var objects []*pointsto.Object
		for _, o := range graph.Objects() {
			if types.Identical(o.Type, built[0].Pkg.Scope().Lookup(of).Type()) {
				objects = append(objects, o)
			}
		}
		if len(objects) == 0 {
			t.Errorf("there is no %s", of)
		}
		frozen, growing := findSettled(t.Context(), graph, objects)
		for field, want := range fields {
			for _, o := range objects {
				c := pointsto.Cell{Object: o, Path: field}
				got := "changes"
				switch value, known := frozen.Bool(c); {
				case frozen.Is(c) && known:
					got = "frozen " + map[bool]string{true: "true", false: "false"}[value]
				case frozen.Is(c):
					got = "frozen"
				case growing.Is(c):
					got = "grows"
				}
				if got != want {
					t.Errorf("%s.%s %s, want %s", of, field, got, want)
				}
			}
		}
	}
}

// wantedFields returns what the comments say of the fields, by type and name.
func wantedFields(p *packages.Package) map[string]map[string]string {
	wanted := map[string]map[string]string{}
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			for _, f := range spec.Type.(*ast.StructType).Fields.List {
				if want, ok := strings.CutPrefix(strings.TrimSpace(f.Comment.Text()), "want "); ok {
					if wanted[spec.Name.Name] == nil {
						wanted[spec.Name.Name] = map[string]string{}
					}
					wanted[spec.Name.Name][f.Names[0].Name] = want
				}
			}
			return true
		})
	}
	return wanted
}
