package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestRelevance builds counterexamples of scenario 2 from lines
// "goroutine action [operand]" and compares the rows that are told, as "goroutine:
// what", and the sentences about the other goroutines. An operand (N) is an event
// on n.
func TestRelevance(t *testing.T) {
	const starts = "main start a; main start b; "
	const events = "a unit-begin F; a read (1); b unit-begin G; b write (2); a read (3)"
	told := []string{"a: begin F", "a: read n", "b: begin G", "b: write n", "a: read n"}
	with := func(at int, rows ...string) []string { return slices.Insert(slices.Clone(told), at, rows...) }
	for _, c := range []struct {
		name, steps string
		rows        []string
		background  []string
	}{
		{"two", events, told, nil},
		{"started", starts + events, told, []string{"main starts a and b"}},
		{"preamble of main", "main unit-begin New; main lock m; main write n; main unlock m; main unit-end New; " + starts +
			events,
			told, []string{"main starts a and b"}},
		{"unneeded goroutine", "main start c; " + starts + "c write n; " + events, told, []string{"main starts a and b"}},
		{"started by a third", "main start c; c start b; main start a; " + events, told,
			[]string{"main starts c and a", "c starts b"}},
		{"held lock", "main lock m; " + starts + events, told, []string{"main starts a and b", "main holds m all the while"}},
		{"lock let go in time", "main lock m; main unlock m; " + starts + events, told, []string{"main starts a and b"}},
		{"start after an event", "main start a; a unit-begin F; a read (1); main start b; b unit-begin G; b write (2); a " +
			"read (3)",
			told, []string{"main starts a and b"}},
		{"own earlier unit", "a unit-begin E; a lock m; a write k; a unlock m; a unit-end E; " + events, with(0, "a: run E"),
			nil},
		{"earlier unit that keeps a lock", "a unit-begin E; a lock m; a unit-end E; " + events,
			with(0, "a: begin E", "a: lock m", "a: end E"), nil},
		{"earlier unit that starts one", "a unit-begin E; a start b; a unit-end E; " + events,
			with(0, "a: begin E", "a: start b", "a: end E"), nil},
		{"unit in between", "a unit-begin F; a read (1); b unit-begin H; b write n; b unit-end H; b unit-begin G; b write " +
			"(2); a read (3)", with(2, "b: run H"), nil},
		{"lock let go between the events", "c lock m; a unit-begin F; a read (1); c unlock m; b unit-begin G; b write " +
			"(2); a read (3)",
			slices.Insert(with(2, "c: unlock m"), 0, "c: lock m"), nil},
		{"field written in between", "a unit-begin F; a read (1); c write n; b unit-begin G; b write (2); a read (3)",
			with(2, "c: write n"), nil},
		{"other field written in between", "a unit-begin F; a read (1); c write k; b unit-begin G; b write (2); a read (3)",
			told, nil},
		{"wait before a start", "main start a; a unit-begin F; a read (1); main wait d; main start b; b unit-begin G; b " +
			"write (2); a read (3)",
			slices.Insert(slices.Insert(slices.Clone(told), 2, "main: wait for d", "main: start b"), 0, "main: start a"), nil},
		{"message before the events", "c send x; a recv x; " + events, with(0, "a: receive from x"),
			[]string{"c sends on x"}},
		{"message of no concern before the events", "c send x; d recv x; " + events, told, nil},
		{"closed before the events", "c close x; a find-closed x; b find-closed x; " + events,
			with(0, "a: find closed x", "b: find closed x"), []string{"c closes x"}},
		{"message between the events", "a unit-begin F; a read (1); c recv x; b send x; b unit-begin G; b write (2); a " +
			"read (3)",
			with(2, "c: receive from x", "b: send on x"), nil},
		{"closed between the events", "a unit-begin F; a read (1); c close x; b find-closed x; b unit-begin G; b write " +
			"(2); a read (3)",
			with(2, "c: close x", "b: find closed x"), nil},
		{"earlier unit under a channel", "a unit-begin E; a send x; a write k; a recv x; a unit-end E; " + events,
			with(0, "a: run E"), nil},
		{"earlier unit with a message", "a unit-begin E; a send x; b recv x; a unit-end E; " + events,
			with(0, "a: begin E", "a: send on x", "b: receive from x", "a: end E"), nil},
		{"no events", "a lock m; b unlock m", []string{"a: lock m", "b: unlock m"}, nil},
	} {
		st := newStory(&empire.QueryResult{}, compactScenario(c.steps), newNames(&empire.Result{}))
		var rows []string
		for _, i := range st.shownIndices() {
			s := st.steps[i]
			if s.number != len(rows)+1 {
				t.Errorf("%s: row %d has number %d", c.name, len(rows)+1, s.number)
			}
			rows = append(rows, st.lanes[s.lane].name+": "+st.action(s))
		}
		if !slices.Equal(rows, c.rows) {
			t.Errorf("%s: rows\n%q\nwant\n%q", c.name, rows, c.rows)
		}
		if got := st.background(); !slices.Equal(got, c.background) {
			t.Errorf("%s: background %q, want %q", c.name, got, c.background)
		}
	}
}

// compactScenario returns a violation of scenario 2 with the steps of text.
func compactScenario(text string) *empire.ScenarioResult {
	s := &empire.ScenarioResult{Scenario: 2, Units: []string{"F", "G"}, Locations: []string{"n"}}
	for i, words := range strings.Split(text, "; ") {
		f := append(strings.Fields(words), "")
		step := empire.Step{Step: i + 1, Goroutine: f[0], Instance: 1, Action: f[1]}
		switch f[1] {
		case "unit-begin", "unit-end":
			step.Unit = f[2]
		case "start", "wait":
			step.Target = f[2]
		case "lock", "unlock":
			step.Lock = f[2]
		case "send", "recv", "close":
			step.Channel = f[2]
		case "find-closed":
			step.Action, step.Channel, step.Closed = "recv", f[2], true
		default:
			step.Location = f[2]
			if n, _ := fmt.Sscanf(f[2], "(%d)", &step.Event); n == 1 {
				step.Location = "n"
			}
		}
		s.Counterexample = append(s.Counterexample, step)
	}
	return s
}

// TestOverview checks the list above many violations: the shortest first, the notes
// last.
func TestOverview(t *testing.T) {
	q := empire.QueryResult{Type: "T", Verdict: empire.VerdictViolation}
	for i, c := range []struct {
		steps, level string
		units, on    []string
		race         bool
	}{
		{"a unit-begin F; a lock m; a read (1); b unit-begin G; b write (2); a read (3)", "error", []string{"F", "G"},
			[]string{"n"}, true},
		{"a read (1); b write (2); a read (3)", "note", []string{"F", "F"}, []string{"n"}, false},
		{"a unit-begin F; a read (1); b write (2); a read (3)", "error", []string{"F", "F"}, []string{"n", "k"}, false},
		{"c lock m; c unlock m; c lock m; a read (1); b write (2); a read (3)", "error", []string{"F", "G"},
			[]string{"n", "n"}, false},
	} {
		s := compactScenario(c.steps)
		s.Scenario, s.Name, s.Verdict, s.Level = i+1, fmt.Sprint("case", i+1), empire.VerdictViolation, c.level
		s.Units, s.Locations, s.DataRace = c.units, c.on, c.race
		q.Scenarios = append(q.Scenarios, *s)
	}
	var b strings.Builder
	if err := Text(&b, &empire.Result{Queries: []empire.QueryResult{q}}, TextOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	const want = `4 violations, the shortest first
   1  case4 (4): F and G, on n of two objects
   2  case3 (3): two runs of F, on n and k
   3  case1 (1): F and G, on n; data race
   4  case2 (2): two runs of F, on n; a note

VIOLATION 1 of 4: case4`
	if !strings.Contains(b.String(), want) {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func TestShortFiles(t *testing.T) {
	steps := []empire.Step{{Pos: "x/a.go:1:2"}, {Pos: "y/b.go:1"},
		{Pos: "z/b.go:2", Stack: []string{"main.main y/b.go:3:1"}},
		{Pos: "p/q/c.go:1"}, {Pos: "r/q/c.go:1"}, {Pos: "-"}, {}}
	short := shortFiles(steps)
	for file, want := range map[string]string{"x/a.go": "a.go", "y/b.go": "y/b.go", "z/b.go": "z/b.go",
		"p/q/c.go": "p/q/c.go"} {
		if short[file] != want {
			t.Errorf("%s: %s, want %s", file, short[file], want)
		}
	}
}
