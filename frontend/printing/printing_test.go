package printing_test

import (
	"go/types"
	"os"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/printing"
)

// TestCallers asks who may run the String methods of a program that prints two values, one of them inside of a
// struct: each is printed by one call, though the functions of package fmt are the same.
func TestCallers(t *testing.T) {
	if err := os.Chdir("../.."); err != nil {
		t.Fatal(err)
	}
	program, err := load.Load(t.Context(), load.Config{Patterns: []string{"./testdata/printed_inside"}})
	if err != nil {
		t.Fatal(err)
	}
	main := program.Mains()[0]
	graph, err := pointsto.Analyze(t.Context(), pointsto.Config{Program: program.SSA,
		Roots: []*ssa.Function{main.Func("init"), main.Func("main")}})
	if err != nil {
		t.Fatal(err)
	}
	calls := printing.New(graph)
	for name, line := range map[string]int{"Range": 63, "Unit": 62} {
		method := program.SSA.LookupMethod(pointerTo(main, name), main.Pkg, "String")
		var found []int
		for _, n := range graph.NodesOf(method) {
			if len(calls.Inside(n)) == 0 {
				t.Errorf("no function of package fmt leads to (*%s).String", name)
			}
			for e := range calls.Callers(n) {
				if e.Caller.Func == main.Func("main") {
					found = append(found, program.SSA.Fset.Position(e.Site.Pos()).Line)
				}
			}
		}
		if len(found) == 0 || found[0] != line || found[len(found)-1] != line {
			t.Errorf("(*%s).String is run by the calls in lines %d, want line %d", name, found, line)
		}
	}
}

// pointerTo returns the type of pointers to a type of a package.
func pointerTo(pkg *ssa.Package, name string) types.Type {
	return types.NewPointer(pkg.Type(name).Type())
}
