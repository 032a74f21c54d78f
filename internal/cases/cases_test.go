package cases_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/empire-go/empire-go/frontend/harness"
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
			runCase(t, file, cases.OwnPrograms)
		})
	}
}

// programsOf returns the programs beside the case file.
func programsOf(t *testing.T, file string, load func() (cases.Programs, error)) []harness.Entry {
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return all.Of(file)
}

// read reads a case file.
func read(t *testing.T, file string) cases.File {
	c, err := cases.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answered is a query of a case file with what the pipeline says.
type answered struct {
	query  cases.Query
	result *pipeline.Result
	err    error
}

var (
	answersGuard sync.Mutex
	answersOf    = map[string]func() []answered{} // by case file
)

// answers answers the queries of a case file, once for all tests.
func answers(t *testing.T, file string, load func() (cases.Programs, error)) []answered {
	t.Helper()
	c, programs := read(t, file), programsOf(t, file, load)
	answersGuard.Lock()
	once := answersOf[file]
	if once == nil {
		once = sync.OnceValue(func() (all []answered) {
			for _, q := range c.Queries {
				r := q.Request(file)
				r.Engine = *engine
				r.Memory = 4 * pipeline.DefaultMemory // it is that of the process, which has many programs
				a := answered{query: q, err: r.Normalize()}
				if a.err == nil {
					a.result, a.err = pipeline.AnswerAbout(context.Background(), r, programs)
				}
				all = append(all, a)
			}
			return all
		})
		answersOf[file] = once
	}
	answersGuard.Unlock()
	return once()
}

// runCase compares the answers to the queries of one case file with what it expects.
func runCase(t *testing.T, file string, load func() (cases.Programs, error)) {
	for _, a := range answers(t, file, load) {
		q := a.query
		if a.err != nil {
			t.Errorf("%s at %s: %v", q.Type, q.Site, a.err)
			continue
		}
		for _, got := range a.result.Queries {
			compare(t, q, got)
		}
		if len(a.result.Queries) == 0 {
			t.Errorf("%s at %s: no query was answered: %v", q.Type, q.Site, a.result.Errors)
		}
	}
}

// compare reports where the answer differs from the expectation.
func compare(t *testing.T, want cases.Query, got pipeline.QueryResult) {
	t.Helper()
	at := fmt.Sprintf("%s {%s} at %s", got.Type, strings.Join(got.Fields, ","), got.Site)
	if want.DataRace != nil && *want.DataRace != got.DataRace {
		t.Errorf("%s: dataRace is %v, want %v", at, got.DataRace, *want.DataRace)
	}
	if want.Verdict != "" && want.Verdict != got.Verdict {
		t.Errorf("%s: the verdict is %s, want %s", at, got.Verdict, want.Verdict)
	}
	for _, s := range got.Scenarios {
		verdict := pipeline.VerdictSafe
		expected, violated := want.Expect[s.Scenario]
		if violated {
			verdict = pipeline.VerdictViolation
		} else if _, beyond := want.Unknown[s.Scenario]; beyond {
			verdict = pipeline.VerdictUnknown
		}
		if s.Verdict != verdict {
			t.Errorf("%s: scenario %d is %s, want %s%s", at, s.Scenario, s.Verdict, verdict, cases.Evidence(s))
			continue
		}
		if !violated {
			continue
		}
		if expected.Pattern != 0 && (s.Pattern == nil || *s.Pattern != expected.Pattern) {
			t.Errorf("%s: scenario %d by pattern %d, want %d", at, s.Scenario, deref(s.Pattern), expected.Pattern)
		}
		if level := cmp.Or(expected.Level, "error"); s.Level != level {
			t.Errorf("%s: scenario %d has level %s, want %s%s", at, s.Scenario, s.Level, level, cases.Evidence(s))
		}
		if expected.Harm != "" && (s.Harm.Status != expected.Harm || !strings.Contains(s.Harm.Actual, expected.Does)) {
			t.Errorf("%s: scenario %d has harm %s %q, want %s %q%s", at, s.Scenario, s.Harm.Status, s.Harm.Actual+s.Harm.Reason,
				expected.Harm, expected.Does, cases.Evidence(s))
		}
		if units := cases.ShortNames(s.Units); len(expected.Units) > 0 && !slices.Equal(units, expected.Units) {
			t.Errorf("%s: scenario %d between %q, want %q%s", at, s.Scenario, units, expected.Units, cases.Evidence(s))
		}
	}
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

// deref returns the number of a pattern, 0 for none.
func deref(pattern *int) int {
	if pattern == nil {
		return 0
	}
	return *pattern
}
