package finding

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/accept"
)

// result has two violations of one cause, of which the second one is only by the letter, and a data race.
func result(dir string) *empire.Result {
	steps := func(line string) []empire.Step {
		return []empire.Step{{Step: 1, Goroutine: "g1", Function: "p.F", Action: "read", Location: "n",
			Pos: "a.go:" + line + ":2", Event: 1}}
	}
	violation := func(n int, id, name, harm string) empire.ScenarioResult {
		return empire.ScenarioResult{Scenario: n, Name: name, Verdict: empire.VerdictViolation, Level: "error", ID: id,
			Units: []string{"p.F", "p.F"}, Locations: []string{"n"}, Counterexample: steps("10"),
			Harm: &empire.Harm{Status: harm, Actual: "n is 1"}}
	}
	return &empire.Result{ModuleRootDir: dir, Queries: []empire.QueryResult{{
		Type: "p.T", Fields: []string{"n"}, Verdict: empire.VerdictViolation,
		Scenarios: []empire.ScenarioResult{violation(1, "1", "stale-update", empire.HarmPossible),
			violation(2, "2", "unrepeatable-read", empire.HarmNone)},
		Races: []empire.Race{{ID: "race", Level: "error", Accesses: append(steps("20"), steps("21")...)}},
	}}}
}

// TestOf: one finding stands for a cause, and what the baseline accepts is none.
func TestOf(t *testing.T) {
	told := func(dir string) (all []string) {
		t.Helper()
		found, err := Of(result(dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			all = append(all, f.ID+" "+f.Text)
			if f.Severity != Harm || len(f.Steps) == 0 || f.ID == "1" && f.AcceptID == f.ID {
				t.Errorf("%+v", f)
			}
		}
		return all
	}
	dir := t.TempDir()
	stale := "1 stale-update: two runs of p.F, on n of p.T: n is 1"
	race := "race data race: two goroutines can access n of p.T at the same moment, and one of them writes"
	if diff := cmp.Diff([]string{stale, race}, told(dir)); diff != "" {
		t.Error(diff)
	}
	baseline := filepath.Join(dir, accept.BaselineFile)
	write := func(text string) {
		if err := os.WriteFile(baseline, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("known:\n  - {id: race, reason: an overview}\n")
	if diff := cmp.Diff([]string{stale}, told(dir)); diff != "" {
		t.Error(diff)
	}
	write("known: [a]\n")
	if found, err := Of(result(dir)); err == nil || len(found) != 2 {
		t.Errorf("a baseline that cannot be read: %v, %d findings", err, len(found))
	}
}
