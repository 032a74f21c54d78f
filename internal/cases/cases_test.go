package cases_test

import (
	"context"
	"encoding/json"
	"flag"
	"path/filepath"
	"sync"
	"testing"

	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/pipeline"
)

var engine = flag.String("engine", "refine", "the engine that the cases are checked with")

// TestCases checks every program under testdata against its case file. Add a case
// by adding a folder.
func TestCases(t *testing.T) {
	files, err := filepath.Glob(cases.Own)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			for _, a := range answers(t, file) {
				for _, d := range a.Differences() {
					t.Error(d)
				}
			}
		})
	}
}

var (
	answersGuard sync.Mutex
	answersOf    = map[string]func() ([]cases.Answer, error){} // by case file
)

// answers answers the queries of a case file, once for all tests.
func answers(t *testing.T, file string) []cases.Answer {
	t.Helper()
	programs, err := cases.OwnPrograms()
	if err != nil {
		t.Fatal(err)
	}
	answersGuard.Lock()
	once := answersOf[file]
	if once == nil {
		once = sync.OnceValues(func() ([]cases.Answer, error) { return programs.Ask(context.Background(), file, *engine) })
		answersOf[file] = once
	}
	answersGuard.Unlock()
	all, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDeterministic answers one query twice and compares the bytes.
func TestDeterministic(t *testing.T) {
	answer := func() string {
		result, err := pipeline.Run(context.Background(), pipeline.Request{
			Packages: []string{"./testdata/vector"}, Type: "Vector", Fields: []string{"count", "data"}, Site: "main.go:29",
		})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if first, second := answer(), answer(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}
