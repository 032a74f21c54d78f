package pipeline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/internal/sample"
	"github.com/empire-go/empire-go/scenarios"
)

// TestCoarseWaits holds models of which less is evaluated, as of programs that are too large, to the cases: no program
// with a bug is safe, and of the others, where there is none, nothing is found for certain. EMPIRE_LONG takes all of
// them.
func TestCoarseWaits(t *testing.T) {
	files, err := filepath.Glob("testdata/blocking/*/main.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var packages []string
	hasBug := map[string]bool{}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if sample.Has(t.Name(), name, 4) {
			packages = append(packages, "./testdata/blocking/"+name)
			hasBug[name] = strings.Contains(string(text), "// want ") || strings.Contains(string(text), "\n// open: ")
		}
	}
	session, err := Open(t.Context(), Request{Packages: packages})
	if err != nil {
		t.Fatal(err)
	}
	decided := 0
	for name, isWrong := range hasBug {
		own := session.Only("github.com/empire-go/empire-go/testdata/blocking/" + name)
		result, err := own.Run(t.Context(), Request{Classes: scenarios.ClassNames(), coarseWaits: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range result.Blocking {
			switch {
			case isWrong && b.Verdict == VerdictSafe:
				t.Errorf("%s is safe, though it has a bug", name)
			case !isWrong && slices.ContainsFunc(b.Findings, func(f BlockingFinding) bool {
				return f.Harm.Status != HarmUnknown // else it hangs on a branch that is not known
			}):
				t.Errorf("%s has no bug, and one is found: %+v", name, b.Findings)
			case b.Verdict != VerdictUnknown:
				decided++
			}
		}
	}
	if t.Logf("%d of %d programs are decided", decided, len(hasBug)); decided == 0 {
		t.Error("nothing is decided")
	}
}
