package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestCertainRacesAreInTheModel holds the data races that are certain by lock sets and the model checker to each other:
// where the model of a library has none, none is certain. EMPIRE_LONG takes all libraries.
func TestCertainRacesAreInTheModel(t *testing.T) {
	pattern := "testdata/library_[a-h]*/case.yaml"
	if os.Getenv("EMPIRE_LONG") != "" {
		pattern = "testdata/library*/case.yaml"
	}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	asked := 0
	for _, file := range files {
		requests, entries := RequestsOf(t, file)
		for _, r := range requests {
			if r.Harm = false; r.Normalize() != nil {
				t.Fatal("the request is bad")
			}
			r.Scenarios = r.Scenarios[:1]
			r.checksRaces = func(certain int) {
				if asked++; certain > 0 {
					t.Errorf("%s: the model of %s has no data race, and %d are certain", file, r.Type, certain)
				}
			}
			if _, err := AnswerAbout(context.Background(), r, entries); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if asked == 0 {
		t.Error("no model is without a data race")
	}
}
