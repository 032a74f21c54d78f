package cases_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/internal/cases"
)

// TestContest checks the programs of the concurrency benchmark, each of which comes
// in three variants: faithful to the original, free of data races but not atomic,
// and fixed.
func TestContest(t *testing.T) {
	files, err := filepath.Glob(cases.Contest)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "testdata/contest/")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runCase(t, file, cases.ContestPrograms)
		})
	}
}
