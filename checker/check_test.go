package checker

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

func load(t *testing.T, file string) *esl.Program {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := esl.Parse(file, src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func find(t *testing.T, r *Result, scenario int) Verdict {
	t.Helper()
	for _, f := range r.Findings {
		if f.Scenario.Number == scenario {
			return f.Verdict
		}
	}
	t.Fatalf("scenario %d was not answered", scenario)
	return nil
}

func TestRequests(t *testing.T) {
	p := load(t, "../testdata/esl/lost-update.esl")
	_, err := Check(context.Background(), p, Options{Scenarios: scenarios.Table})
	if err == nil || !strings.HasPrefix(err.Error(), "checker: no engine") {
		t.Errorf("without an engine: %v", err)
	}
	_, err = Check(context.Background(), &esl.Program{}, Options{Engine: naive{Depth: 4}})
	if err == nil {
		t.Error("a program that is not valid was checked")
	}
}

func TestViolation(t *testing.T) {
	p := load(t, "../testdata/esl/lost-update.esl")
	r, err := Check(context.Background(), p, Options{Scenarios: scenarios.Table, Engine: naive{Depth: 6}})
	if err != nil {
		t.Fatal(err)
	}
	v, ok := find(t, r, 1).(Violation)
	if !ok {
		t.Fatalf("got %v", find(t, r, 1))
	}
	if v.Pattern.Number != 1 || len(v.Matched) != 3 || len(v.Locations) != 1 || !v.DataRace || v.By != "naive: search" {
		t.Errorf("got %+v", v)
	}
	if r.DataRace == nil || !r.RaceKnown || r.Work.States == 0 {
		t.Errorf("race %v, work %v", r.DataRace, r.Work)
	}
	if _, ok := find(t, r, 2).(Safe); !ok {
		t.Errorf("scenario 2: %v", find(t, r, 2))
	}
}

// TestConflictCycleOnly asks for scenario 12 alone where another one explains the
// same units, and where none does.
func TestConflictCycleOnly(t *testing.T) {
	only := scenarios.Table[scenarios.ConflictCycle-1:]
	for file, violated := range map[string]bool{
		"conflict-cycle": true, "conflict-cycle-locked": false, "explained-cycle": false} {
		name := "../testdata/esl/" + file + ".esl"
		if file == "explained-cycle" {
			name = "testdata/explained-cycle.esl"
		}
		r, err := Check(context.Background(), load(t, name), Options{Scenarios: only, Engine: naive{Depth: 6}})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := find(t, r, scenarios.ConflictCycle).(Violation); ok != violated || len(r.Findings) != 1 {
			t.Errorf("%s: %v", file, r.Findings)
		}
	}
	c := &check{ctx: context.Background(), options: Options{Engine: naive{Depth: 6}}}
	if err := lower(c, load(t, "testdata/explained-cycle.esl")); err != nil {
		t.Fatal(err)
	}
	c.options.Scenarios = only
	outcomes, _ := c.search(&survey{unruled: true})
	cycle := false
	for _, o := range outcomes {
		cycle = cycle || o.scenario == scenarios.ConflictCycle && o.status == Common
	}
	if !cycle {
		t.Error("explained-cycle has no cycle to explain")
	}
}

func lower(c *check, p *esl.Program) (err error) {
	c.model, err = cpds.Lower(p)
	return err
}

// TestAskedPatterns: a scenario is decided by the patterns asked for, also where
// the others are searched to explain conflict cycles.
func TestAskedPatterns(t *testing.T) {
	asked := []scenarios.Scenario{scenarios.Table[8], scenarios.Table[11]}
	asked[0].Patterns = asked[0].Patterns[1:]
	rest := (Options{}).searched(asked)[2]
	patterns := 0
	for _, s := range scenarios.Table[:11] {
		patterns += len(s.Patterns)
	}
	if rest.Number != onlyExplains || len(rest.Patterns) != patterns-1 || rest.Patterns[10].Number != 11 {
		t.Errorf("got %v", rest)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Check(ctx, load(t, "../testdata/esl/lost-update-locked.esl"),
		Options{Scenarios: scenarios.Table, Engine: naive{Depth: 6}})
	if err != nil {
		t.Fatal(err)
	}
	if u, ok := find(t, r, 1).(Unknown); !ok || !strings.HasPrefix(u.Reason, "cancelled") || r.RaceKnown {
		t.Errorf("got %v, race known: %v", find(t, r, 1), r.RaceKnown)
	}
}

// liar is an engine whose words are no runs of the program: it forgets the locks.
type liar struct{ naive }

func (l liar) Decide(ctx context.Context, s *cpds.System, limits Limits) []Answer {
	open := *s
	open.Components = nil
	var kept []int
	for i, c := range s.Components {
		if c.Kind != cpds.Lock {
			open.Components = append(open.Components, c)
			kept = append(kept, i)
		}
	}
	answers := l.naive.Decide(ctx, &open, limits)
	for i, a := range answers {
		if a.Status == Common {
			runs := make([][]int, len(s.Components))
			for j, k := range kept {
				runs[k] = a.Runs[j]
			}
			answers[i].Runs = runs
		}
	}
	return answers
}

// TestReplay: what does not replay is neither a violation nor safe.
func TestReplay(t *testing.T) {
	r, err := Check(context.Background(), load(t, "../testdata/esl/lost-update-locked.esl"),
		Options{Scenarios: scenarios.Table, Engine: liar{naive{Depth: 6}}, AskAll: true})
	if err != nil {
		t.Fatal(err)
	}
	if u, ok := find(t, r, 1).(Unknown); !ok || !strings.HasPrefix(u.Reason, notReplayed) || r.DataRace != nil {
		t.Errorf("got %v", find(t, r, 1))
	}
}

// mute is an engine that gives no answers.
type mute struct{ naive }

func (mute) Decide(context.Context, *cpds.System, Limits) []Answer { return nil }

func TestMute(t *testing.T) {
	r, err := Check(context.Background(), load(t, "../testdata/esl/lost-update.esl"),
		Options{Scenarios: scenarios.Table, Engine: mute{}, AskAll: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := find(t, r, 1).(Unknown); !ok || r.RaceKnown {
		t.Errorf("got %v", find(t, r, 1))
	}
}
