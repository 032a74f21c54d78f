package pipeline

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/internal/sample"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// TestStuckRuns lets two parts of the code check each other: calls of libraries that are carried out, and the search in
// models of them. A library of which a run waits for ever is not safe, and no twin that is mended has such a run.
// EMPIRE_LONG takes all of them.
func TestStuckRuns(t *testing.T) {
	folders := []string{"testdata/blocking/library_*", "testdata/library_*"}
	var packages []string
	for _, pattern := range folders {
		dirs, err := filepath.Glob(pattern)
		if err != nil || len(dirs) == 0 {
			t.Fatalf("no cases: %v", err)
		}
		for _, dir := range dirs {
			if strings.Contains(dir, "blocking") || sample.Has(t.Name(), filepath.Base(dir), 40) {
				packages = append(packages, "./"+dir)
			}
		}
	}
	session, err := Open(t.Context(), Request{Packages: packages})
	if err != nil {
		t.Fatal(err)
	}
	decided, waiting := 0, 0
	for _, dir := range packages {
		r := Request{Classes: scenarios.ClassNames()}
		own := session.Only("github.com/empire-go/empire-go/" + strings.TrimPrefix(dir, "./"))
		r, all, err := own.resolve(t.Context(), r)
		if err != nil {
			continue // there is nothing to share
		}
		work := func() limit.Work { return workOf(r) }
		answers, err := runPrograms(t.Context(), r, all, &runner{}, work, func(BlockingResult) {})
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range all {
			runs := stuckRuns(t.Context(), e)
			b := answers[i]
			if len(runs) > 0 {
				waiting++
			}
			if b.Verdict != VerdictUnknown {
				decided++
			}
			for _, f := range runs {
				if b.Verdict == VerdictSafe || strings.HasSuffix(dir, "_fixed") && strings.Contains(dir, "blocking") {
					t.Errorf("%s (%s) is %s, and a run waits for ever: %s\n%q\n%q\n%+v", e.Name, dir, b.Verdict, f.Class,
						f.Harm.Start, f.Harm.Calls, f.Waits)
				}
			}
		}
	}
	if t.Logf("%d answers, %d with runs that wait for ever", decided, waiting); waiting == 0 {
		t.Error("no run waits for ever")
	}
}
