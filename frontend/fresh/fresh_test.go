package fresh_test

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// TestAccesses compares the answers with the comments in testdata/accesses.
func TestAccesses(t *testing.T) {
	initial, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, "./testdata/accesses")
	if err != nil || packages.PrintErrors(initial) > 0 {
		t.Fatal("not loaded", err)
	}
	program, built := ssautil.AllPackages(initial, ssa.InstantiateGenerics)
	program.Build()
	main := built[0]
	graph, err := pointsto.Analyze(context.Background(), pointsto.Config{
		Program: program, Roots: []*ssa.Function{main.Func("init"), main.Func("main")},
	})
	if err != nil {
		t.Fatal(err)
	}
	a := fresh.New(t.Context(), graph)
	a.Watch(graph.Objects()...)
	want, types := expectations(initial[0])
	checked := map[int]bool{}
	for _, n := range graph.Nodes() {
		if n.Func.Pkg != main {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				line := program.Fset.Position(instr.Pos()).Line
				pointer := written(instr)
				if pointer == nil || want[line] == "" {
					continue
				}
				checked[line] = true
				got := map[bool]string{true: "fresh", false: "shared"}[a.Is(n, pointer, instr)]
				if got != want[line] {
					t.Errorf("line %d is %s, want %s: %s", line, got, want[line], instr)
				}
			}
		}
	}
	for line := range want {
		if !checked[line] {
			t.Errorf("line %d has no access", line)
		}
	}
	for name, want := range types {
		isWritten := false
		for _, o := range graph.Objects() {
			isWritten = isWritten || o.Type == main.Pkg.Scope().Lookup(name).Type() && a.IsWritten(o)
		}
		if got := map[bool]string{true: "written", false: "constant"}[isWritten]; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// written returns what the instruction writes through; stores to variables and of
// literals do not count.
func written(instr ssa.Instruction) ssa.Value {
	switch v := instr.(type) {
	case *ssa.Store:
		if _, isVariable := v.Addr.(*ssa.Alloc); isVariable {
			return nil
		}
		if _, isGlobal := v.Addr.(*ssa.Global); isGlobal {
			return nil
		}
		return v.Addr
	case *ssa.MapUpdate:
		return v.Map
	}
	return nil
}

// expectations reads the comments: by line, and by type.
func expectations(pkg *packages.Package) (lines map[int]string, types map[string]string) {
	lines, types = map[int]string{}, map[string]string{}
	for _, file := range pkg.Syntax {
		for _, group := range file.Comments {
			for _, c := range group.List {
				text := strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
				if text == "fresh" || text == "shared" {
					lines[pkg.Fset.Position(c.Pos()).Line] = text
				}
				if kind, name, ok := strings.Cut(text, ": "); ok && !strings.Contains(name, " ") {
					types[name] = kind
				}
			}
		}
	}
	return lines, types
}
