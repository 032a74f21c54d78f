package report

import (
	"fmt"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestCauses checks which unit is the cause of a violation, and what it does wrong.
func TestCauses(t *testing.T) {
	const f, g = "a unit-begin F; b unit-begin G; ", "a unit-end F; b unit-end G"
	for steps, want := range map[string]string{
		"a read (1); b write (2); a read (3)":                                                       "F is not atomic",
		"a lock m; a read (1); a unlock m; b lock m; b write (2); b unlock m; a lock m; a read (3)": "F lets go of m",
		"a lock m; a read (1); b write (2); a read (3)":                                             "G does not hold m",
		"a read (1); b lock m; b write (2); b unlock m; a read (3)":                                 "F does not hold m",
		"a lock k; a lock m; a read (1); a unlock m; b lock m; b write (2); b unlock m; " +
			"a lock m; a read (3)": "F lets go of m",
		"a read (1); b write (2); a read (3); b write (4)": "F is not atomic",
		"a lock m; a read (1); a unlock m; b lock m; b write (2); b unlock m; a lock m; a read (3); a unlock m; b lock m; " +
			"b write (4)": "F lets go of m",
		"a lock m; a write (1); a unlock m; a lock m; a unlock m; b lock m; b read (2); b read (3); b unlock m; a lock m; " +
			"a write (4); a done": "F lets go of m",
	} {
		s := compactScenario(f + steps + "; " + g)
		s.Scenario, s.Verdict, s.Level, s.Units = 1, empire.VerdictViolation, "error", []string{"F", "G"}
		r := &empire.Result{Queries: []empire.QueryResult{{Type: "T", Scenarios: []empire.ScenarioResult{*s}}}}
		n := newNames(r)
		causes := causesOf(r, n, false)
		if len(causes) != 1 || causes[0].headline(n) != want {
			t.Errorf("%s: %s, want %s", steps, causes[0].headline(n), want)
		}
	}
}

// TestEitherCause checks that a violation that two units are needed for has the cause that
// leads to more; that notes are not with what is more; and that types are kept apart.
func TestEitherCause(t *testing.T) {
	query := func(name string, level string, steps ...string) empire.QueryResult {
		q := empire.QueryResult{Type: name}
		for i, text := range steps {
			s := compactScenario("a unit-begin F; b unit-begin G; " + text)
			s.Scenario, s.Name, s.Verdict, s.Level, s.Units = i+1, fmt.Sprint("case", i+1), empire.VerdictViolation, level,
				[]string{"F", "G"}
			q.Scenarios = append(q.Scenarios, *s)
		}
		return q
	}
	const crossed, ofF, ofG = "a read (1); b write (2); a read (3); b write (4)", "a read (1); b write (2); a read (3)",
		"b read (1); a write (2); b read (3)"
	r := &empire.Result{Queries: []empire.QueryResult{
		query("T", "error", crossed, ofF), query("T", "error", ofG, ofG, crossed), query("T", "note", ofG),
		query("S", "error", ofG),
	}}
	var got []string
	n := newNames(r)
	for _, c := range causesOf(r, n, false) {
		got = append(got, fmt.Sprintf("%d %s %s: %d", c.number, c.shown().query.Type, c.unit, len(c.stories)))
	}
	if want := "1 T F: 1, 2 T G: 4, 3 S G: 1, 4 T G: 1"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}
