package pipeline

import (
	"maps"
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

// TestNextOutline makes the next outline of what is open, once for one scenario and once for several that are open for
// the same reason: it follows the same.
func TestNextOutline(t *testing.T) {
	files, err := filepath.Glob(ownCases)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		if !sample.Has(t.Name(), file, 40) {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			a, site := firstSite(t, file, true)
			m, err := a.model(t.Context(), site, outline, nil)
			if err != nil {
				t.Fatal(err)
			}
			var parts []loosePart
			for at := range m.lowered.Entrances {
				for node := range m.kept.Kept {
					part := loosePart{name: at.Into, from: at.From, to: node.Func.String()}
					if len(m.path(part)) > 0 && len(parts) == 0 {
						parts = append(parts, part)
					}
				}
			}
			if len(parts) == 0 {
				t.Skip("no path leads through what is not followed")
			}
			once, often := (*refinement)(nil).with(&m, parts), (*refinement)(nil).with(&m, append(parts, parts...))
			if once == nil || often == nil || !maps.Equal(once.functions, often.functions) {
				t.Errorf("it follows %v, and for two scenarios %v", once.follow(), often.follow())
			}
		})
	}
}
