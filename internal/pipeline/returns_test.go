package pipeline

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/harness"
)

// CheckReturns compares the functions that have returned in runs of programs with those that do
// in the model for a request.
func CheckReturns(t *testing.T, r Request, programs []harness.Entry, returned map[*ssa.Function]bool) {
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	a, site, err := onlySite(t.Context(), r, programs, &runner{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := a.modelAsLowered(t.Context(), site)
	if err != nil {
		t.Fatal(err)
	}
	returns := map[string]bool{} // by Go function; false: no clone of it does
	for i, f := range m.lowered.Program.Functions {
		name := m.lowered.GoFunctions[i]
		if !returns[name] {
			returns[name] = hasReturn(f)
		}
	}
	for fn := range returned {
		if does, modelled := returns[fn.String()]; modelled && !does {
			t.Errorf("%s %v at %s: %s returns, but not in the model", strings.Join(r.Packages, " "), r.Fields, r.Site, fn)
		}
	}
}

// hasReturn tells whether a return of the function can be reached.
func hasReturn(f esl.Function) bool {
	seen := make([]bool, len(f.Body))
	for work := []int{0}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if at == len(f.Body) {
			return true
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		switch st := f.Body[at]; st.Op {
		case esl.Return:
			return true
		case esl.Goto, esl.Choice:
			work = append(work, st.Targets...)
		default:
			work = append(work, at+1)
		}
	}
	return false
}
