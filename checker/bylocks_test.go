package checker

import (
	"context"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/scenarios"
)

// TestByLocks: what locks alone rule out, the interpreter does not find in any run.
func TestByLocks(t *testing.T) {
	for name, program := range map[string]func(uint64) *esl.Program{
		"random": func(seed uint64) *esl.Program { return random.Program(seed+7_000_000, random.Shape{Recursion: 0.2}) },
		"plain":  func(seed uint64) *esl.Program { return random.Program(seed+8_000_000, random.Shape{Plain: true}) },
		"chaos":  chaos,
		"joins":  joins,
	} {
		t.Run(name, func(t *testing.T) {
			all, left, occurrences := 0, 0, 0
			for seed := range uint64(scale(150)) {
				p := program(seed)
				m, err := cpds.Lower(p)
				if err != nil {
					t.Fatal(err)
				}
				ruled, err := m.ByLocks(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				all += len(m.Guesses(scenarios.Table)) + len(m.RaceGuesses())
				left += len(ruled.Guesses(scenarios.Table)) + len(ruled.RaceGuesses())
				x := interp.Explore(context.Background(), p, interp.Bounds{States: 20_000, Depth: 6})
				occurrences += len(x.Occurrences) + len(x.Races)
				notRuledOut(t, ruled, x)
				if t.Failed() {
					t.Fatalf("seed %d:\n%v", seed, p)
				}
			}
			t.Logf("%d of %d guesses are left; %d occurrences and races", left, all, occurrences)
			if left == all {
				t.Error("nothing is ruled out")
			}
		})
	}
}

// notRuledOut wants a guess for all that was found.
func notRuledOut(t *testing.T, m *cpds.Model, x interp.Exploration) {
	guesses := m.Guesses(scenarios.Table)
	for _, f := range x.Occurrences {
		if !slices.ContainsFunc(guesses, func(g cpds.Guess) bool {
			return g.UnitU() == f.U.UnitName && g.UnitV() == f.V.UnitName && g.L1 == f.Locations[0] &&
				(len(f.Locations) == 1) == (g.L2 < 0) && (g.L2 < 0 || g.L2 == f.Locations[1]) &&
				slices.Contains(m.Concerned(g, scenarios.Table), f.Scenario)
		}) {
			t.Errorf("%s is ruled out", occurrence(f.Scenario, f.U.UnitName, f.V.UnitName))
		}
	}
	races := m.RaceGuesses()
	for _, r := range x.Races {
		if !slices.ContainsFunc(races, func(g cpds.RaceGuess) bool {
			a, b := g.A.Process, g.B.Process
			return g.Location == r.Location && (a == r.A.Process && b == r.B.Process || a == r.B.Process && b == r.A.Process)
		}) {
			t.Errorf("%s is ruled out", race(m.Program, r.Location, r.A, r.B))
		}
	}
}
