package pointsto

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// cells lists what a value points to.
func (n *naive) cells(v ssa.Value) map[string]bool {
	all := map[string]bool{}
	for _, slot := range n.layouts.value(v.Type()).slots {
		for _, a := range n.get(v, slot) {
			if a.site != nil {
				all[siteName(a.site)+n.layout(a.site).paths[a.cell]] = true
			}
		}
	}
	return all
}

func siteName(site any) string {
	switch v := site.(type) {
	case boxOf:
		if basic, ok := v.typ.(*types.Basic); ok {
			return "box:" + types.Typ[basic.Kind()].Name() + " " // byte is uint8
		}
		return "box:" + types.TypeString(v.typ, nil) + " "
	case ssa.Value:
		return fmt.Sprintf("%s(%p) ", v.Name(), v)
	}
	panic("no site")
}

// solved lists, for each value of each function that is wanted, what it points to
// in any context.
func solved(r *Result, wanted func(*ssa.Function) bool) map[ssa.Value]map[string]bool {
	all := map[ssa.Value]map[string]bool{}
	for _, n := range r.Nodes() {
		if !r.Analysed(n) || !wanted(n.Func) {
			continue
		}
		for _, v := range valuesOf(n.Func) {
			if all[v] == nil {
				all[v] = map[string]bool{}
			}
			for _, c := range r.PointsTo(n, v).Cells() {
				name := siteName(boxOf{c.Object.Type})
				if c.Object.Site != nil {
					name = siteName(c.Object.Site)
				}
				all[v][name+c.Path] = true
			}
		}
	}
	return all
}

// valuesOf returns what a function computes, but for iterators, which are no values.
func valuesOf(f *ssa.Function) []ssa.Value {
	var all []ssa.Value
	for _, p := range f.Params {
		all = append(all, p)
	}
	for _, v := range f.FreeVars {
		all = append(all, v)
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok {
				if _, iterator := v.(*ssa.Range); !iterator {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// compareNaive reports where the analysis without contexts differs from the naive one
// in functions that are wanted.
func compareNaive(t *testing.T, c Config, insensitive map[ssa.Value]map[string]bool, wanted func(*ssa.Function) bool) {
	t.Helper()
	n := naiveAnalyze(c.Program, c.Roots)
	functions := map[*ssa.Function]bool{}
	for v, cells := range insensitive {
		functions[v.Parent()] = true
		if want := n.cells(v); !maps.Equal(cells, want) {
			t.Errorf("%s: %s = %s points to\n%s, naively to\n%s", v.Parent(), v.Name(), v, list(cells), list(want))
		}
	}
	for f := range n.reachable {
		if len(valuesOf(f)) > 0 && !n.modelled(f) && wanted(f) && !functions[f] {
			t.Errorf("%s is not reached", f)
		}
	}
}

func list(cells map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(cells)), ", ")
}

// compareSensitive reports what the analysis finds only with contexts.
func compareSensitive(t *testing.T, sensitive, insensitive map[ssa.Value]map[string]bool) {
	t.Helper()
	for v, cells := range sensitive {
		for c := range cells {
			if !insensitive[v][c] {
				t.Errorf("%s: %s = %s points to %s only with contexts", v.Parent(), v.Name(), v, c)
			}
		}
	}
}

// TestNaive compares both analyses on each program: without contexts they are
// equal, in the standard library as well. With contexts nothing is added.
func TestNaive(t *testing.T) {
	forAll(t, func(t *testing.T, p *program) {
		insensitive := solved(p.analyze(t, true), everything)
		compareNaive(t, p.config(), insensitive, everything)
		compareSensitive(t, solved(p.analyze(t, false), everything), insensitive)
	})
}

func everything(*ssa.Function) bool { return true }

// TestNaiveCases compares them on the programs of all cases of the checker, as one
// program that runs them all: what they share is large, and everything meets. (For
// contexts see TestRefineCases.)
func TestNaiveCases(t *testing.T) {
	all, err := casePrograms()
	if err != nil {
		t.Fatal(err)
	}
	together := Config{Program: all[0].pkg.Prog}
	for _, p := range all {
		together.Roots = append(together.Roots, p.config().Roots...)
	}
	r, err := analyze(t.Context(), together, true)
	if err != nil {
		t.Fatal(err)
	}
	compareNaive(t, together, solved(r, everything), everything)
}
