package checker

import (
	"context"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/internal/testmain"
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
			all, left, surveyed, empty, occurrences := 0, 0, 0, 0, 0
			for seed := range uint64(testmain.Count(150)) {
				p := program(seed)
				m, err := cpds.Lower(p)
				if err != nil {
					t.Fatal(err)
				}
				ruled, err := m.ByLocks(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				s, err := newSurvey(context.Background(), p, Options{Scenarios: scenarios.Table})
				if err != nil {
					t.Fatal(err)
				}
				surveyed += len(guessesLeft(m, s)) + len(s.raceGuesses(m.RaceGuesses()))
				if s.isEmpty() {
					empty++
				}
				all += len(m.Guesses(scenarios.Table)) + len(m.RaceGuesses())
				left += len(ruled.Guesses(scenarios.Table)) + len(ruled.RaceGuesses())
				x := interp.Explore(context.Background(), p, interp.Bounds{States: 20_000, Depth: 6})
				occurrences += len(x.Occurrences) + len(x.Races)
				notRuledOut(t, ruled, s, x)
				if t.Failed() {
					t.Fatalf("seed %d:\n%v", seed, p)
				}
			}
			t.Logf("%d of %d guesses are left, %d by the survey, which ends %d programs; %d occurrences and races",
				left, all, surveyed, empty, occurrences)
			if left == all || surveyed == all {
				t.Error("nothing is ruled out")
			}
		})
	}
}

// guessesLeft returns the guesses that a survey leaves.
func guessesLeft(m *cpds.Model, s *survey) []cpds.Guess {
	return slices.DeleteFunc(m.Guesses(scenarios.Table), func(g cpds.Guess) bool { return !s.leaves(g) })
}

// notRuledOut wants a guess for all that was found.
func notRuledOut(t *testing.T, m *cpds.Model, s *survey, x interp.Exploration) {
	guesses := guessesLeft(m, s)
	for _, f := range x.Occurrences {
		if !slices.ContainsFunc(guesses, func(g cpds.Guess) bool {
			return g.UnitU() == f.U.UnitName && g.UnitV() == f.V.UnitName && g.L1 == f.Locations[0] &&
				(len(f.Locations) == 1) == (g.L2 < 0) && (g.L2 < 0 || g.L2 == f.Locations[1]) &&
				slices.Contains(m.Concerned(g, scenarios.Table), f.Scenario)
		}) {
			t.Errorf("%s is ruled out", occurrence(f.Scenario, f.U.UnitName, f.V.UnitName))
		}
	}
	races := s.raceGuesses(m.RaceGuesses())
	for _, r := range x.Races {
		if !slices.ContainsFunc(races, func(g cpds.RaceGuess) bool {
			a, b := g.A.Process, g.B.Process
			return g.Location == r.Location && (a == r.A.Process && b == r.B.Process || a == r.B.Process && b == r.A.Process)
		}) {
			t.Errorf("%s is ruled out", race(m.Program, r.Location, r.A, r.B))
		}
	}
}
