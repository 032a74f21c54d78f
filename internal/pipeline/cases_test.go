package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
)

// caseFile is testdata/NAME/case.yaml: what is asked about the program in that
// folder, and what the answer has to be.
type caseFile struct {
	Why      string
	Concepts []string // what it is about: see TestIndex
	Tests    bool     // the entry points are the package's tests
	Tags     string   // build tags that the program is loaded with, separated by commas
	Queries  []caseQuery
}

type caseQuery struct {
	Type    string
	Vars    []string
	Fields  []string
	Site    string
	Units   string
	UnitFor string `yaml:"unitfor"`
	Verdict string // of the whole query; empty: not compared
	Strict  bool   // by the letter: see Request.Strict
	// Functions that run a callback concurrently, as in the file empire.yaml.
	Concurrent []string
	// Types and makers of arguments, likewise. Programs are loaded with those of all cases.
	Joins    []load.Join
	Locks    []load.LockType
	Make     map[string]string
	DataRace *bool                `yaml:"dataRace"`
	Expect   map[int]caseExpected // the violated scenarios; all others must be safe
	Safe     any                  // why the others are safe: a sentence, or one for each scenario
	Unknown  map[int]string       // scenarios that are beyond the tool, with the reason
}

type caseExpected struct {
	Pattern int      // 0: any
	Level   string   // "note", or "error" as by default
	Units   []string // u and u', without package paths; empty: any
	Why     string
}

var engine = flag.String("engine", "refine", "the engine that the cases are checked with")

// TestCases checks every program under testdata against its case file. Add a case
// by adding a folder.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*/case.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			runCase(t, file, caseEntries)
		})
	}
}

// caseEntries is the programs of all cases, by folder.
var caseEntries = sync.OnceValues(func() (map[string][]harness.Entry, error) {
	return loadCases("testdata/*/case.yaml")
})

// loadCases returns the programs beside case files, by folder. They are loaded
// together, as most of what they import is the same; those that are tests, or have
// build tags, in a load of their own.
func loadCases(pattern string) (map[string][]harness.Entry, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var ways []Request               // to load programs
	requests := map[string]Request{} // by folder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		c, err := parseCase(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		first := c.Queries[0].request(file)
		i := slices.IndexFunc(ways, func(r Request) bool { return r.Tests == c.Tests && r.Tags == c.Tags })
		if i < 0 {
			i, ways = len(ways), append(ways, Request{Tests: c.Tests, Tags: c.Tags, Make: map[string]string{}})
		}
		ways[i].Packages = append(ways[i].Packages, first.Packages...)
		ways[i].Joins, ways[i].LockTypes = append(ways[i].Joins, first.Joins...),
			append(ways[i].LockTypes, first.LockTypes...)
		for t, function := range first.Make {
			ways[i].Make[t] = function
		}
		requests[first.Packages[0]] = Request{Packages: first.Packages, Vars: first.Vars, Tests: c.Tests, Tags: c.Tags,
			Make: first.Make}
	}
	byFolder := map[string][]harness.Entry{}
	for _, r := range ways {
		if err := r.Normalize(); err != nil {
			return nil, err
		}
		program, err := loadProgram(context.Background(), r, &runner{})
		if err != nil {
			return nil, err
		}
		for _, folder := range r.Packages {
			path := program.Module + strings.TrimPrefix(folder, ".")
			own := requests[folder]
			own.fillDefaults()
			if byFolder[folder], err = entries(own, program.Only(path)); err != nil {
				return nil, fmt.Errorf("%s: %w", folder, err)
			}
		}
	}
	return byFolder, nil
}

// entriesOf returns the programs beside the case file.
func entriesOf(t *testing.T, file string, load func() (map[string][]harness.Entry, error)) []harness.Entry {
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return all["./"+filepath.ToSlash(filepath.Dir(file))]
}

// runCase answers the queries of one case file.
func runCase(t *testing.T, file string, load func() (map[string][]harness.Entry, error)) {
	c := readCase(t, file)
	for _, q := range c.Queries {
		r := q.request(file)
		r.Memory = 4 * DefaultMemory // it is that of the process, which has many programs
		if err := r.Normalize(); err != nil {
			t.Fatal(err)
		}
		result := &Result{}
		if err := runEntries(context.Background(), r, entriesOf(t, file, load), result, &runner{}); err != nil {
			t.Errorf("%s at %s: %v", q.Type, q.Site, err)
			continue
		}
		for _, got := range result.Queries {
			compare(t, q, got)
		}
		if len(result.Queries) == 0 {
			t.Errorf("%s at %s: no query was answered: %v", q.Type, q.Site, result.Errors)
		}
	}
}

// readCase reads a case file.
func readCase(t *testing.T, file string) caseFile {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := parseCase(text)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

// parseCase reads the text of a case file.
func parseCase(text []byte) (caseFile, error) {
	var c caseFile
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	err := decoder.Decode(&c)
	return c, err
}

// request returns the request of a query about the program beside the case file.
func (q caseQuery) request(file string) Request {
	return Request{
		Packages: []string{"./" + filepath.ToSlash(filepath.Dir(file))},
		Type:     q.Type, Vars: q.Vars, Fields: q.Fields, Site: q.Site, Units: q.Units, UnitFor: q.UnitFor, Strict: q.Strict,
		Concurrent: q.Concurrent, Joins: q.Joins, LockTypes: q.Locks, Make: q.Make, Engine: *engine,
	}
}

// compare reports where the answer differs from the expectation.
func compare(t *testing.T, want caseQuery, got QueryResult) {
	t.Helper()
	at := fmt.Sprintf("%s {%s} at %s", got.Type, strings.Join(got.Fields, ","), got.Site)
	if want.DataRace != nil && *want.DataRace != got.DataRace {
		t.Errorf("%s: dataRace is %v, want %v", at, got.DataRace, *want.DataRace)
	}
	if want.Verdict != "" && want.Verdict != got.Verdict {
		t.Errorf("%s: the verdict is %s, want %s", at, got.Verdict, want.Verdict)
	}
	for _, s := range got.Scenarios {
		verdict := VerdictSafe
		expected, violated := want.Expect[s.Scenario]
		if violated {
			verdict = VerdictViolation
		} else if _, beyond := want.Unknown[s.Scenario]; beyond {
			verdict = VerdictUnknown
		}
		if s.Verdict != verdict {
			t.Errorf("%s: scenario %d is %s, want %s%s", at, s.Scenario, s.Verdict, verdict, evidence(s))
			continue
		}
		if !violated {
			continue
		}
		if expected.Pattern != 0 && (s.Pattern == nil || *s.Pattern != expected.Pattern) {
			t.Errorf("%s: scenario %d by pattern %d, want %d", at, s.Scenario, deref(s.Pattern), expected.Pattern)
		}
		if level := cmp.Or(expected.Level, "error"); s.Level != level {
			t.Errorf("%s: scenario %d has level %s, want %s%s", at, s.Scenario, s.Level, level, evidence(s))
		}
		if units := shortNames(s.Units); len(expected.Units) > 0 && !slices.Equal(units, expected.Units) {
			t.Errorf("%s: scenario %d between %q, want %q%s", at, s.Scenario, units, expected.Units, evidence(s))
		}
	}
}

// evidence shows why a scenario got its verdict.
func evidence(s ScenarioResult) string {
	if s.Reason != "" {
		return ": " + s.Reason
	}
	var b strings.Builder
	fmt.Fprintf(&b, " (units %v, locations %v)", shortNames(s.Units), s.Locations)
	for _, step := range s.Counterexample {
		mark := "   "
		if step.Event > 0 {
			mark = fmt.Sprintf("(%d)", step.Event)
		}
		fmt.Fprintf(&b, "\n\t%s %s#%d %s %s%s%s %s", mark, step.Goroutine, step.Instance, step.Action, step.Location,
			step.Lock, step.Unit+step.Target, step.Pos)
	}
	return b.String()
}

// shortNames drops the package paths of function names.
func shortNames(names []string) []string {
	var short []string
	for _, name := range names {
		prefix := ""
		for _, p := range []string{"(*", "("} {
			if rest, ok := strings.CutPrefix(name, p); ok {
				prefix, name = p, rest
				break
			}
		}
		// Type arguments have paths of their own.
		path, rest, generic := strings.Cut(name, "[")
		if i := strings.LastIndex(path, "/"); i >= 0 {
			path = path[i+1:]
		}
		if i := strings.Index(path, "."); i >= 0 {
			path = path[i+1:]
		}
		if generic {
			path += "[" + rest
		}
		short = append(short, prefix+path)
	}
	return short
}

// TestDeterministic answers one query twice and compares the bytes.
func TestDeterministic(t *testing.T) {
	answer := func() string {
		result, err := Run(context.Background(), Request{
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
