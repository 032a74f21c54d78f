// Package contest checks the programs of a concurrency benchmark.
package contest

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m, "../../..") }

var engine = flag.String("engine", "refine", "the engine that the programs are checked with")

// TestContest checks the programs, each of which comes in three variants: faithful to the
// original, free of data races but not atomic, and fixed.
func TestContest(t *testing.T) {
	files, err := filepath.Glob(cases.Contest)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	programs, err := cases.Load(cases.Contest)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "testdata/contest/")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers, err := programs.Ask(t.Context(), file, *engine)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range answers {
				for _, d := range a.Differences() {
					t.Error(d)
				}
			}
		})
	}
}
