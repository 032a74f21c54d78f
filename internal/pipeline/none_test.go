package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestHarmIsNotDisproved holds the proofs that a pair of units does no harm to the runs that show the harm
// of violations: there may be no proof for two functions of which a run is known that no order of their
// calls explains. EMPIRE_LONG takes the runs of all cases, not only of those about harm.
func TestHarmIsNotDisproved(t *testing.T) {
	pattern := "testdata/harmless*/case.yaml"
	if os.Getenv("EMPIRE_LONG") != "" {
		pattern = ownCases
	}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	shown := 0
	for _, file := range files {
		requests, entries := RequestsOf(t, file)
		for _, r := range requests {
			if !r.Harm {
				continue
			}
			if err := r.Normalize(); err != nil {
				t.Fatal(err)
			}
			r.checksProofs = func(u, v string, disproved bool) {
				if shown++; disproved {
					t.Errorf("%s: %s and %s are called harmless, and a run does harm", file, u, v)
				}
			}
			if _, err := AnswerAbout(context.Background(), r, entries); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if shown == 0 {
		t.Error("no run shows any harm")
	}
}
