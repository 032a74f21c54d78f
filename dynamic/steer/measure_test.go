package steer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	empire "github.com/empire-go/empire-go"
)

// measured is what became of a violation.
type measured struct {
	file string
	v    Violation
	out  Outcome
}

func (m measured) String() string {
	var units []string
	for _, u := range m.v.Scenario.Units {
		units = append(units, u[strings.LastIndex(u, "/")+1:])
	}
	return fmt.Sprintf("%-40s %2d %v %v at %s: %s %s", m.file, m.v.Scenario.Scenario, units, m.v.Scenario.Locations,
		filepath.Base(m.v.Query.Site), m.out.Status, m.out.Reason)
}

// TestMeasure confirms the violations of all cases, and says how many it has confirmed and
// how long the slowest took:
//
//	EMPIRE_REPORTS=DIR go test -run TestReports ./internal/cases
//	EMPIRE_LONG=1 EMPIRE_REPORTS=DIR go test -run TestMeasure -v -timeout 30m ./dynamic/steer
//
// EMPIRE_CASES is a regular expression for the names of the cases, EMPIRE_BUDGET the time for
// each violation, EMPIRE_REPLAY how many times the run of each is repeated.
func TestMeasure(t *testing.T) {
	from := os.Getenv("EMPIRE_REPORTS")
	if os.Getenv("EMPIRE_LONG") == "" || from == "" {
		t.Skip("takes minutes; see its comment")
	}
	files, err := filepath.Glob(filepath.Join(from, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no reports", err)
	}
	b, err := newBuilder("../..")
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	var groups []*group
	var names []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if ok, _ := regexp.MatchString(os.Getenv("EMPIRE_CASES"), name); !ok {
			continue
		}
		for _, r := range joined(readResults(t, file)) {
			for _, g := range b.groups(context.Background(), r) {
				groups, names = append(groups, g), append(names, name)
			}
		}
	}
	summary(t, measureAll(t, b, groups, names))
}

// measureAll confirms the violations of programs, which it builds in batches, while the next
// batch is built.
func measureAll(t *testing.T, b *builder, groups []*group, names []string) []measured {
	type batch struct {
		first  int
		groups []*group
		built  []built
	}
	batches := make(chan batch)
	go func() {
		defer close(batches)
		for from := 0; from < len(groups); from += maxTogether {
			some := groups[from:min(from+maxTogether, len(groups))]
			var targets []Target
			for _, g := range some {
				targets = append(targets, g.target)
			}
			batches <- batch{from, some, b.build(context.Background(), targets)}
		}
	}()
	var all []measured
	for batch := range batches {
		for i, g := range batch.groups {
			for j, out := range measureGroup(t, batch.built[i], g) {
				m := measured{names[batch.first+i], g.violations[j], out}
				all = append(all, m)
				if out.Status != Confirmed {
					t.Log(m)
				}
			}
		}
	}
	return all
}

func readResults(t *testing.T, file string) (results []*empire.Result) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &results)
	}
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// joined puts the queries of results with the same policies into one result.
func joined(results []*empire.Result) []*empire.Result {
	var all []*empire.Result
	for _, r := range results {
		i := slices.IndexFunc(all, func(x *empire.Result) bool { return x.Invocation.Policies == r.Invocation.Policies })
		if i < 0 {
			all = append(all, r)
			continue
		}
		all[i].Queries = append(all[i].Queries, r.Queries...)
	}
	return all
}

// measureGroup confirms the violations of a program.
func measureGroup(t *testing.T, program built, g *group) []Outcome {
	outcomes := make([]Outcome, len(g.violations))
	binary, err := program.binary, cmp.Or(g.err, program.err)
	if err == nil {
		budget := DefaultBudget
		if text := os.Getenv("EMPIRE_BUDGET"); text != "" {
			if budget.Time, err = time.ParseDuration(text); err != nil {
				t.Fatal(err)
			}
		}
		s := &searcher{binary: binary, judge: seenIn, budget: budget, violations: g.violations}
		if outcomes, err = s.confirm(context.Background()); err == nil {
			repeat(t, binary, g.violations, outcomes)
			return outcomes
		}
	}
	for i := range outcomes {
		outcomes[i] = Outcome{Status: NotTried, Reason: err.Error()}
	}
	return outcomes
}

// repeat replays what is confirmed.
func repeat(t *testing.T, b *Binary, violations []Violation, outcomes []Outcome) {
	times := 0
	fmt.Sscanf(os.Getenv("EMPIRE_REPLAY"), "%d", &times)
	for i, o := range outcomes {
		if o.Status != Confirmed || times == 0 {
			continue
		}
		s := newSchedule(violations[i], Target{}, b, o)
		r, err := replay(context.Background(), b, s, times)
		if err != nil || r.Identical != times || r.Shown != times {
			t.Logf("REPLAY %s %d: %+v %v", violations[i].Query.Type, violations[i].Scenario.Scenario, r, err)
		}
	}
}

// summary prints what was measured.
func summary(t *testing.T, all []measured) {
	slices.SortFunc(all, func(a, b measured) int {
		return cmp.Or(strings.Compare(a.file, b.file), a.v.Scenario.Scenario-b.v.Scenario.Scenario)
	})
	count := map[string]int{}
	for _, m := range all {
		count[m.out.Status]++
	}
	t.Logf("%d violations: %d confirmed, %d not confirmed, %d not tried", len(all), count[Confirmed], count[NotConfirmed],
		count[NotTried])
	slices.SortFunc(all, func(a, b measured) int { return cmp.Compare(b.out.Took, a.out.Took) })
	for _, m := range all[:min(8, len(all))] {
		t.Logf("%v (%d runs): %v", m.out.Took.Round(time.Millisecond), m.out.Runs, m)
	}
	runs := map[int]int{}
	for _, m := range all {
		if m.out.Status == Confirmed {
			runs[m.out.Runs]++
		}
	}
	t.Log("confirmed after runs: ", runs)
}
