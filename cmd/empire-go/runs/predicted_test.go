package runs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
)

// goal is the share of predicted scenarios, in percent, that have to happen when the program is led along them.
const goal = 90

// predictions is what was predicted from a run, and what came of it.
type predictions struct {
	Events     int
	Threads    int
	Blocks     struct{ All, Violated, Static, Search, Bounded, Cut int }
	Violations []struct{ Seen bool }
	Scenarios  []struct {
		ID           string
		Name         string
		Scenario     int
		Units        []string
		Seen         bool
		Confirmation *struct{ Status, Reason string }
	}
	GivenUp int
}

// TestPredicted takes one run, without noise, of the programs of testdata/contest and testdata/cooperable, predicts
// from it, and leads the programs along the scenarios that the run itself did not have. It prints a table. At least
// nine of ten have to happen, in all programs together. Without EMPIRE_LONG it takes three programs.
//
//	EMPIRE_LONG=1 go test ./cmd/empire-go/runs -run TestPredicted -v -timeout 60m
func TestPredicted(t *testing.T) {
	const root = "../../../testdata"
	programs := []string{"contest/airlines/racefree", "contest/critical/faithful", "cooperable/weblog"}
	if os.Getenv("EMPIRE_LONG") != "" {
		contest, _ := filepath.Glob(root + "/contest/*/*/main.go")
		cooperable, _ := filepath.Glob(root + "/cooperable/*/main.go")
		programs = nil
		for _, file := range append(contest, cooperable...) {
			name, err := filepath.Rel(root, filepath.Dir(file))
			if err != nil {
				t.Fatal(err)
			}
			programs = append(programs, filepath.ToSlash(name))
		}
	}
	table := newPaperTable("program", "events", "units", "units violated", "not known", "scenarios seen", "predicted",
		"confirmed")
	predicted, confirmed := 0, 0
	for _, program := range programs {
		var p predictions
		hasSet := false
		t.Run(program, func(t *testing.T) {
			p, hasSet = confirmations(t, root+"/"+program, argsOf(t, root+"/"+program))
		})
		if !hasSet {
			table.line(program, "", "no set", "", "", "", "", "")
			continue
		}
		seen, some, happened := 0, 0, 0
		for _, s := range p.Scenarios {
			switch {
			case s.Seen:
				seen++
			case s.Confirmation != nil && s.Confirmation.Status == "confirmed":
				happened++
				fallthrough
			default:
				some++
			}
			if !s.Seen && (s.Confirmation == nil || s.Confirmation.Status != "confirmed") {
				t.Logf("%s: %s of %s is not confirmed: %v", program, s.Name, strings.Join(s.Units, " and "), s.Confirmation)
			}
		}
		table.line(program, p.Events, p.Blocks.All, p.Blocks.Violated, p.Blocks.Bounded+p.Blocks.Cut+p.GivenUp, seen, some,
			happened)
		predicted, confirmed = predicted+some, confirmed+happened
	}
	table.line("all", "", "", "", "", "", predicted, confirmed)
	t.Log(table)
	if confirmed*100 < predicted*goal {
		t.Errorf("%d of %d predicted scenarios are confirmed, less than %d%%", confirmed, predicted, goal)
	}
}

// confirmations predicts from a run of a program, and leads it along what is predicted. Nothing can be predicted of a
// program in which no fields or variables belong together (the command ends with status 2 and says so): then hasSet is
// false. In sparse, say, goroutines share elements of slices only.
func confirmations(t *testing.T, dir string, args []string) (p predictions, hasSet bool) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	var stdout, stderr strings.Builder
	command.Run(append([]string{"run", "--predict", "--confirm", "--schedules", t.TempDir(), "--format", "json",
		"--report", report, dir}, args...), &stdout, &stderr)
	if strings.Contains(stderr.String(), ": nothing to check: ") {
		return p, false
	}
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		t.Fatal(dir, err, stderr.String())
	}
	return p, true
}

// argsOf are the arguments with which a program takes seconds when it is recorded, if its case has some.
func argsOf(t *testing.T, dir string) []string {
	var of struct{ Args []string }
	text, err := os.ReadFile(filepath.Join(dir, "case.yaml"))
	if err == nil {
		err = yaml.Unmarshal(text, &of)
	}
	if err != nil {
		t.Fatal(err)
	}
	return of.Args
}
