package pointsto

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/internal/sample"
)

// TestRefine compares the refinements of a base, with small and large slices, with
// the solution of the whole program with contexts, which they must contain, and
// with the one without, which must contain them.
func TestRefine(t *testing.T) {
	forAll(t, func(t *testing.T, p *program) { checkRefinements(t, p.config(), everything) })
}

// TestRefineCases does so for the programs of the checker's cases: one of sixteen, as they take
// long and have much in common; with EMPIRE_LONG set all of them.
func TestRefineCases(t *testing.T) {
	all, err := casePrograms()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if !sample.Has(t.Name(), p.name, 16) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			own := func(f *ssa.Function) bool { return packagePath(f) == p.pkg.Pkg.Path() }
			c := p.config()
			c.Sensitivity.Receiver, c.Sensitivity.CallSite = own, own
			checkRefinements(t, c, own)
		})
	}
}

func checkRefinements(t *testing.T, c Config, wanted func(*ssa.Function) bool) {
	whole, err := analyze(t.Context(), c, false)
	if err != nil {
		t.Fatal(err)
	}
	base, err := Solve(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	precise, coarse := solved(whole, wanted), solved(base.Whole(), wanted)
	for _, share := range []int{0, 16} {
		name := fmt.Sprintf("%d/16", share)
		refined, err := base.refine(t.Context(), c.Sensitivity, func(program int) int { return program * share / 16 })
		if err != nil {
			t.Fatal(err)
		}
		found := solved(refined, wanted)
		compareSensitive(t, found, coarse)
		for v, cells := range precise {
			for cell := range cells {
				if !found[v][cell] {
					t.Errorf("slice of %s: %s: %s = %s does not point to %s", name, v.Parent(), v.Name(), v, cell)
				}
			}
		}
		compareCalls(t, whole, refined)
		checkCallers(t, refined)
		checkObjects(t, refined)
	}
}

// compareCalls requires that the calls of the whole are among those of the refined.
func compareCalls(t *testing.T, whole, refined *Result) {
	t.Helper()
	calls := func(r *Result) map[string]bool {
		all := map[string]bool{}
		for _, n := range r.Nodes() {
			for _, e := range r.Calls(n) {
				all[fmt.Sprintf("%v: %v calls %v, start %v", n.Func, e.Site, e.Callee.Func, e.Start)] = true
			}
		}
		return all
	}
	found := calls(refined)
	for call := range calls(whole) {
		if !found[call] {
			t.Errorf("lost: %s", call)
		}
	}
}

// checkCallers requires that edges are seen from both ends, and lead to nodes of the
// result.
func checkCallers(t *testing.T, r *Result) {
	t.Helper()
	isNode := map[*Node]bool{}
	for _, n := range r.Nodes() {
		isNode[n] = true
	}
	for _, n := range r.Nodes() {
		for _, e := range r.Calls(n) {
			if !isNode[e.Callee] || !slices.Contains(r.Callers(e.Callee), e) {
				t.Errorf("%v does not know its caller %v at %v", e.Callee, n, e.Site)
			}
			if e.Start == nil && r.Analysed(n) && !slices.Contains(r.Callees(n, e.Site), e.Callee) {
				t.Errorf("%v is not a callee of %v", e.Callee, n)
			}
		}
		for _, e := range r.Callers(n) {
			if !isNode[e.Caller] || !slices.Contains(r.Calls(e.Caller), e) {
				t.Errorf("%v is not called by %v at %v", n, e.Caller, e.Site)
			}
		}
		if !slices.Contains(r.NodesOf(n.Func), n) {
			t.Errorf("%v is not a node of its function", n)
		}
	}
	for _, n := range r.Roots() {
		if !isNode[n] {
			t.Errorf("the root %v is no node", n)
		}
	}
}

// checkObjects requires that what is pointed to is an object of the result.
func checkObjects(t *testing.T, r *Result) {
	t.Helper()
	isObject := map[*Object]bool{}
	for _, o := range r.Objects() {
		isObject[o] = true
	}
	for _, n := range r.Nodes() {
		for v := range n.values {
			for _, o := range r.PointsTo(n, v).Objects() {
				if !isObject[o] {
					t.Errorf("%v: %v points to %v, which is split", n, v, o)
				}
			}
		}
	}
	for o := range isObject {
		for _, reached := range r.Reachable(o) {
			if !isObject[reached] {
				t.Errorf("%v leads to %v, which is split", o, reached)
			}
		}
	}
}
