package checker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// The oracle tests compare the whole way from a program to the verdicts with an
// exploration of all runs by the interpreter, which shares no code with it.

func TestAgainstInterpreter(t *testing.T) {
	compare(t, 50, func(seed uint64) *esl.Program { return random.Program(seed, random.Shape{Recursion: 0.1}) })
}

func TestAgainstInterpreterThree(t *testing.T) {
	compare(t, 15, func(seed uint64) *esl.Program { return random.Program(seed+1_000_000, random.Shape{Processes: 3}) })
}

func TestAgainstInterpreterChaos(t *testing.T) {
	compare(t, 60, chaos)
}

// compare wants the same occurrences, by scenario and pair of units, the same data
// races, by location and pair of processes, and so the same verdicts, from both
// sides, wherever they are complete. Where one is not, what it has found must be
// there on the other side.
func compare(t *testing.T, count int, program func(seed uint64) *esl.Program) {
	var complete, violated, raced int
	for seed := range uint64(testmain.Count(count)) {
		p := program(seed)
		if err := esl.Validate(p); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		x := interp.Explore(context.Background(), p, interp.Bounds{States: 100_000, Depth: 6})
		m, err := cpds.Lower(p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		o := Options{Scenarios: scenarios.Table, Engine: naive{Depth: 8}, Limits: Limits{States: 30_000}}
		c := &check{ctx: context.Background(), model: m, options: o}
		outcomes, races := c.search(&survey{unruled: true})
		found := foundBy(t, p, outcomes, races)
		explored := exploredBy(p, x)
		for _, what := range slices.Sorted(maps.Keys(explored)) {
			if !found.has[what] && found.complete {
				t.Errorf("only the interpreter finds %s", what)
			}
		}
		for _, what := range slices.Sorted(maps.Keys(found.has)) {
			if !explored[what] && x.Complete {
				t.Errorf("only the checker finds %s", what)
			}
		}
		if found.complete && x.Complete {
			complete++
			verdicts(t, c.result(outcomes, races), x)
		}
		if len(x.Occurrences) > 0 {
			violated++
		}
		if len(x.Races) > 0 {
			raced++
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%v", seed, p)
		}
	}
	t.Logf("%d programs, %d complete on both sides, %d with violations, %d with data races", testmain.Count(count),
		complete, violated, raced)
}

// findings is a set of occurrences and races, as texts.
type findings struct {
	has      map[string]bool
	complete bool
}

func foundBy(t *testing.T, p *esl.Program, outcomes []outcome, races []raceOutcome) findings {
	f := findings{map[string]bool{}, true}
	undecided := func(reason string) {
		f.complete = false
		if strings.HasPrefix(reason, notReplayed) {
			t.Error(reason)
		}
	}
	for _, o := range outcomes {
		switch o.status {
		case Common:
			f.has[occurrence(o.scenario, o.guess.UnitU(), o.guess.UnitV())] = true
		case Undecided:
			undecided(o.reason)
		}
	}
	for _, o := range races {
		switch o.status {
		case Common:
			f.has[race(p, o.guess.Location, o.guess.A, o.guess.B)] = true
		case Undecided:
			undecided(o.reason)
		}
	}
	return f
}

func exploredBy(p *esl.Program, x interp.Exploration) map[string]bool {
	all := map[string]bool{}
	for _, f := range x.Occurrences {
		all[occurrence(f.Scenario, f.U.UnitName, f.V.UnitName)] = true
	}
	for _, r := range x.Races {
		all[race(p, r.Location, r.A, r.B)] = true
	}
	return all
}

func occurrence(scenario int, u, v esl.UnitName) string {
	return fmt.Sprintf("scenario %d of %v and %v", scenario, u, v)
}

func race(p *esl.Program, location int, a, b esl.Instance) string {
	if a.Process > b.Process {
		a, b = b, a
	}
	return fmt.Sprintf("race on %s of %s and %s", p.LocationName(location), p.Processes[a.Process].Name,
		p.Processes[b.Process].Name)
}

// verdicts compares the verdicts. The run of a violation ends with its last event.
func verdicts(t *testing.T, r *Result, x interp.Exploration) {
	var violated []int
	for _, f := range r.Findings {
		if v, ok := f.Verdict.(Violation); ok {
			violated = append(violated, f.Scenario.Number)
			if last := v.Matched[len(v.Matched)-1]; last != len(v.Steps)-1 {
				t.Errorf("scenario %d: the run goes on after its last event: %d steps, event at %d", f.Scenario.Number,
					len(v.Steps), last)
			}
		}
	}
	if want := x.Scenarios(); !slices.Equal(violated, want) {
		t.Errorf("the checker reports %v, the interpreter %v", violated, want)
	}
	if !r.RaceKnown || (r.DataRace != nil) != (len(x.Races) > 0) {
		t.Errorf("the checker reports the race %v, the interpreter %v", r.DataRace, x.Races)
	}
}
