package pipeline

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/empire-go/empire-go/frontend/harness"
)

// TestContest checks the programs of the concurrency benchmark, each of which comes
// in three variants: faithful to the original, free of data races but not atomic,
// and fixed.
func TestContest(t *testing.T) {
	files, err := filepath.Glob("testdata/contest/*/*/case.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "testdata/contest/")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runCase(t, file, contestEntries)
		})
	}
}

// contestEntries is the programs of the benchmark, by folder.
var contestEntries = sync.OnceValues(func() (map[string][]harness.Entry, error) {
	return loadCases("testdata/contest/*/*/case.yaml")
})
