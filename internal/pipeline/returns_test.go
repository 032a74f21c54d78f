package pipeline

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/internal/sample"
)

// TestModelsReturn runs the cases: a function that is seen to return also does in the model.
// (One that does not hides what its callers do next.) With EMPIRE_LONG set these are all cases,
// else one of sixteen.
func TestModelsReturn(t *testing.T) {
	files, err := filepath.Glob("testdata/*/case.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !sample.Has(t.Name(), file, 16) {
			continue
		}
		c := readCase(t, file)
		for _, q := range c.Queries {
			if programs := entriesOf(t, file, caseEntries); beyondOracle(c, q, programs) == "" {
				checkReturns(t, q, q.request(file), programs)
			}
		}
	}
}

// checkReturns compares the functions that return in runs of a program with those that do
// in the model for a query.
func checkReturns(t *testing.T, q caseQuery, r Request, programs []harness.Entry) {
	report, err := executeQuery(q, programs[0], execute.Budget{Runs: 5, Random: 5, Time: 20 * time.Millisecond})
	var unsupported *execute.Unsupported
	if errors.As(err, &unsupported) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
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
	for fn := range report.Returned {
		if does, modelled := returns[fn.String()]; modelled && !does {
			t.Errorf("%s %v at %s: %s returns, but not in the model", strings.Join(r.Packages, " "), q.Fields, q.Site, fn)
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
