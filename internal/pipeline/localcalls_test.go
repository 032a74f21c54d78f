package pipeline

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/internal/sample"
	"github.com/empire-go/empire-go/scenarios"
)

// TestLocalCalls holds what is found in calls to what is known of whole programs: in a program that is safe no call
// leaves anybody behind who waits for ever. EMPIRE_LONG takes all of them.
func TestLocalCalls(t *testing.T) {
	dirs, err := filepath.Glob("testdata/blocking/*/main.go")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	var packages []string
	dirs = slices.DeleteFunc(dirs, func(d string) bool { return !sample.Has(t.Name(), d, 4) })
	for _, d := range dirs {
		packages = append(packages, "./testdata/blocking/"+filepath.Base(filepath.Dir(d)))
	}
	r := Request{Packages: packages, Classes: scenarios.ClassNames()}
	session, err := Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	calls, findings := 0, 0
	for _, d := range dirs {
		name := filepath.Base(filepath.Dir(d))
		own := session.Only("github.com/empire-go/empire-go/testdata/blocking/" + name)
		r, err := own.meant(r)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := own.Run(t.Context(), Request{Classes: scenarios.ClassNames()})
		if err != nil {
			continue
		}
		asked, err := searchCalls(t.Context(), r, own.program, &runner{})
		if err != nil {
			t.Fatal(err)
		}
		calls += asked.counts.Asked
		for _, c := range asked.found {
			for _, f := range c.found.Findings {
				findings++
				if whole.Verdict == VerdictSafe {
					t.Errorf("%s: %s: %s %s (harm %s %s), though the program is safe", name, callName(c.call), f.Class, f.Waits[0].Pos,
						f.Harm.Status, f.Harm.Reason)
				}
			}
		}
	}
	t.Logf("%d findings in %d calls", findings, calls)
}
