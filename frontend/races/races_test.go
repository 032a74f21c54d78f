package races_test

import (
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/races"
)

// TestFind compares the accesses that lack a lock with the lines that say so in testdata.
func TestFind(t *testing.T) {
	program, err := load.Load(t.Context(), load.Config{Patterns: []string{"./testdata/kinds"}})
	if err != nil {
		t.Fatal(err)
	}
	pkg := program.Packages[0]
	var got []string
	for _, member := range pkg.Members {
		if kind, ok := member.(*ssa.Type); ok {
			named := kind.Type().(*types.Named)
			got = append(got, linesOf(program, pkg, named)...)
		}
	}
	slices.Sort(got)
	text, err := os.ReadFile("testdata/kinds/kinds.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(line, "// race") {
			want = append(want, fmt.Sprintf("%03d", i+1))
		}
	}
	if d := cmp.Diff(want, slices.Compact(got)); d != "" {
		t.Errorf("lines with a race that is certain (-want +got):\n%s", d)
	}
}

// linesOf returns the lines of the accesses to a type that lack a lock.
func linesOf(program *load.Program, pkg *ssa.Package, named *types.Named) (lines []string) {
	var methods, makers []*ssa.Function
	for m := range named.Methods() {
		if m.Exported() {
			methods = append(methods, program.SSA.FuncValue(m))
		}
	}
	if maker := pkg.Func("New" + named.Obj().Name()); maker != nil {
		makers = append(makers, maker)
	}
	fields := []string{"items", "n", "max", "ready", "inner.n", "all", "Early"}
	found, _ := races.Find(named, fields, methods, makers)
	for _, r := range found {
		lines = append(lines, fmt.Sprintf("%03d", program.Position(r[0].Pos()).Line))
	}
	return lines
}
