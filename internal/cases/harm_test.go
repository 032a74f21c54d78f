package cases_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/pipeline"
	"github.com/empire-go/empire-go/internal/sample"
	"github.com/empire-go/empire-go/scenarios"
)

// openHarm lists the violations of which no harm is found, a line each: the case, the number of the query,
// the scenario, and what the search says. Most of these programs do nothing with their values that would tell;
// nobody has judged each. A violation that is not listed has to do harm, or its case says otherwise.
const openHarm = "internal/cases/harm-open.txt"

var updateHarm = flag.Bool("update-harm", false, "with EMPIRE_LONG, write "+openHarm+" anew")

// TestHarm asks about the harm of each violation that the cases expect; without EMPIRE_LONG of some cases.
func TestHarm(t *testing.T) {
	files, err := filepath.Glob(cases.Own)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(openHarm)
	if err != nil && !*updateHarm {
		t.Fatal(err)
	}
	h := &harmOfCases{open: map[string]string{}, counts: map[string]int{}}
	for line := range strings.Lines(string(text)) {
		where, reason, _ := strings.Cut(strings.TrimSpace(line), ": ")
		h.open[where] = reason
	}
	programs, err := cases.OwnPrograms()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.finish(t) })
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if !sample.Has(t.Name(), name, 60) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := cases.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, q := range c.Queries {
				if len(q.Expect) > 0 {
					h.ask(t, fmt.Sprintf("%s %d", name, i), file, q, programs)
				}
			}
		})
	}
}

// harmOfCases collects what is found.
type harmOfCases struct {
	open map[string]string // why no harm is known, by case, query and scenario

	mu     sync.Mutex
	lines  []string
	counts map[string]int
}

// ask asks about the violated scenarios of a query.
func (h *harmOfCases) ask(t *testing.T, where, file string, q cases.Query, programs cases.Programs) {
	r := q.Request(file)
	r.Harm, r.Memory = true, 4*pipeline.DefaultMemory
	r.Scenarios = slices.DeleteFunc(slices.Clone(scenarios.Table), func(s scenarios.Scenario) bool {
		_, violated := q.Expect[s.Number]
		return !violated
	})
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	result, err := pipeline.AnswerAbout(context.Background(), r, programs.Of(file))
	if err != nil {
		t.Fatal(err)
	}
	unknown := map[int]string{} // of the scenarios that are not harmful for some client
	for _, got := range result.Queries {
		for _, r := range got.Races {
			isOfRun(t, where, r)
		}
		for _, s := range got.Violations() {
			if s.Harm == nil || s.Level == "note" {
				continue
			}
			h.count(s.Harm.Status)
			if s.Harm.Status != pipeline.HarmUnknown {
				isOfUnits(t, where, s)
			} else if q.Expect[s.Scenario].Harm == "" {
				unknown[s.Scenario] = s.Harm.Reason
			}
		}
	}
	for scenario := range q.Expect {
		at := fmt.Sprintf("%s %d", where, scenario)
		reason, isUnknown := unknown[scenario]
		_, isOpen := h.open[at]
		switch {
		case *updateHarm && isUnknown:
			h.note(at + ": " + reason)
		case *updateHarm:
		case isUnknown && !isOpen:
			t.Errorf("%s: no harm is found: %s", at, reason)
		case !isUnknown && isOpen && os.Getenv("EMPIRE_LONG") != "":
			t.Errorf("%s does harm: take it out of %s", at, openHarm)
		}
	}
}

// isOfRun holds the accesses of a race to those of the run that shows it.
func isOfRun(t *testing.T, where string, r pipeline.Race) {
	if r.Harm == nil || r.Harm.Status != pipeline.HarmPossible || strings.Contains(r.Harm.Actual, " at -") {
		return
	}
	for _, s := range r.Accesses {
		if line := s.Pos[:strings.LastIndexByte(s.Pos, ':')+1]; !strings.Contains(r.Harm.Actual, line) {
			t.Errorf("%s: the race is told at %s, but the run shows: %s", where, s.Pos, r.Harm.Actual)
		}
	}
}

var inBrackets = regexp.MustCompile(`\[.*?\]`)

// isOfUnits holds the calls that show harm to the goroutines of the interleaving: they are what these call.
func isOfUnits(t *testing.T, where string, s *pipeline.ScenarioResult) {
	if len(s.Harm.Calls) != 2 {
		return
	}
	called := map[string]bool{}
	for _, step := range s.Counterexample {
		name := step.Function
		if len(step.Stack) > 0 {
			name, _, _ = strings.Cut(step.Stack[0], " ")
		}
		name, _, _ = strings.Cut(name, "$")
		name, _, _ = strings.Cut(name[strings.LastIndex(name, ".")+1:], "[")
		called[name] = true
	}
	for _, call := range s.Harm.Calls {
		name, _, _ := strings.Cut(strings.TrimPrefix(call, "go "), "(")
		name = inBrackets.ReplaceAllString(name, "") // type arguments, and which of what was handed out is used
		name = name[strings.LastIndex(name, ".")+1:]
		if !called[name] && name != "Sleep" && !strings.HasPrefix(call, "any(") {
			t.Errorf("%s %d: the harm is of %s, which is not in the interleaving: %v", where, s.Scenario, call, called)
		}
	}
}

func (h *harmOfCases) count(status string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts[status]++
}

func (h *harmOfCases) note(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, line)
}

// finish logs the counts, and writes the list anew if that is asked for.
func (h *harmOfCases) finish(t *testing.T) {
	t.Logf("harm of violations: %v", h.counts)
	if *updateHarm {
		slices.Sort(h.lines)
		if err := os.WriteFile(openHarm, []byte(strings.Join(h.lines, "\n")+"\n"), 0o644); err != nil {
			t.Error(err)
		}
	}
}
