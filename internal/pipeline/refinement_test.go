package pipeline

import (
	"path/filepath"
	"testing"

	"github.com/empire-go/empire-go/internal/sample"
)

// TestOutlines answers the first query of case files by way of outlines, and without: the verdicts are the same. With
// EMPIRE_LONG set it takes every case, else one of twenty.
func TestOutlines(t *testing.T) {
	files, err := filepath.Glob(ownCases)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		if !sample.Has(t.Name(), file, 20) {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			exact, refined := firstAnswer(t, file, false), firstAnswer(t, file, true)
			for i, s := range exact.Scenarios {
				by := refined.Scenarios[i]
				isBroken := func(s ScenarioResult) bool { return s.Verdict == VerdictViolation && s.Level != "note" }
				if by.Verdict != VerdictUnknown && isBroken(by) != isBroken(s) {
					t.Errorf("scenario %d is %s, and by way of outlines %s", s.Scenario, s.Verdict, by.Verdict)
				}
			}
		})
	}
}

// firstAnswer is the answer to the first query of a case file.
func firstAnswer(t *testing.T, file string, outlines bool) QueryResult {
	a, site := firstSite(t, file, outlines)
	answer, err := a.check(t.Context(), site)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
