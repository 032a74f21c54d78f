package interp_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// TestExploreAgainstRandomRuns compares the two ways to match that this package
// has. What Explore finds, Accepts must accept. What Match finds in a random run
// (of all statements one by one, the silent ones interleaved too), a complete
// exploration must have found, and so for data races.
func TestExploreAgainstRandomRuns(t *testing.T) {
	var complete, runs, matches int
	for seed := range uint64(testmain.Count(250)) {
		p := random.Program(seed, random.Shape{Recursion: 0.1})
		x := interp.Explore(context.Background(), p, interp.Bounds{States: 100_000, Depth: 6})
		accepted(t, p, x)
		if t.Failed() {
			t.Fatalf("seed %d:\n%v", seed, p)
		}
		if !x.Complete {
			continue
		}
		complete++
		rng := rand.New(rand.NewPCG(seed, 1))
		for range 12 {
			runs++
			steps := randomRun(rng, p, 45, x, t)
			matches += matchesFound(t, p, steps, x)
			if t.Failed() {
				t.Fatalf("seed %d: steps %v\n%v", seed, steps, p)
			}
		}
	}
	t.Logf("%d programs explored in full, %d runs, %d matches", complete, runs, matches)
	if matches < runs/10 {
		t.Errorf("only %d matches in %d runs: too few to compare", matches, runs)
	}
}

// randomRun takes random steps. It checks every state for data races.
func randomRun(rng *rand.Rand, p *esl.Program, length int, x interp.Exploration, t *testing.T) []esl.Step {
	var steps []esl.Step
	s := interp.Initial(p)
	for len(steps) < length {
		enabled := interp.Enabled(s)
		racesFound(t, p, enabled, x)
		if len(enabled) == 0 {
			break
		}
		step := enabled[rng.IntN(len(enabled))]
		next, err := interp.Apply(s, step)
		if err != nil {
			t.Fatalf("an enabled step is not applied: %v", err)
		}
		s, steps = next, append(steps, step)
	}
	return steps
}

// racesFound checks that the exploration knows the data races between enabled
// steps.
func racesFound(t *testing.T, p *esl.Program, enabled []esl.Step, x interp.Exploration) {
	t.Helper()
	for _, a := range enabled {
		for _, b := range enabled {
			s, u := statement(p, a), statement(p, b)
			if a.Instance == b.Instance || s.Op != esl.Access || u.Op != esl.Access || s.Arg != u.Arg ||
				!s.Access.Writes() || s.Access.Atomic() && u.Access.Atomic() || p.AreDisjoint(a.Instance, b.Instance, s.Arg) {
				continue
			}
			known := false
			for _, r := range x.Races {
				known = known || r.Location == s.Arg &&
					(r.A == a.Instance && r.B == b.Instance || r.A == b.Instance && r.B == a.Instance)
			}
			if !known {
				t.Errorf("race on %s between %v and %v was not found", p.LocationName(s.Arg), a, b)
			}
		}
	}
}

func statement(p *esl.Program, step esl.Step) esl.Stmt {
	if body := p.Functions[step.Function].Body; step.Index < len(body) {
		return body[step.Index]
	}
	return esl.Stmt{Op: esl.Return}
}

// matchesFound checks that the exploration knows all occurrences in a run, and
// returns their number.
func matchesFound(t *testing.T, p *esl.Program, steps []esl.Step, x interp.Exploration) int {
	t.Helper()
	type answer struct {
		pattern string
		u, v    esl.UnitName
	}
	known := map[answer]bool{}
	for _, f := range x.Occurrences {
		known[answer{f.Pattern.String(), f.U.UnitName, f.V.UnitName}] = true
	}
	var patterns []scenarios.Pattern
	for _, s := range scenarios.Table {
		patterns = append(patterns, s.Patterns...)
	}
	occurrences, err := interp.Match(context.Background(), p, steps, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range occurrences {
		if !known[answer{o.Pattern.String(), o.U.UnitName, o.V.UnitName}] {
			t.Errorf("%v of %v and %v at steps %v was not found", o.Pattern, o.U, o.V, o.Matched)
		}
	}
	return len(occurrences)
}

// TestAcceptsRejects spoils occurrences in one place and wants Accepts to notice,
// unless Match knows the spoilt one too.
func TestAcceptsRejects(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	rejected := 0
	for seed := range uint64(100) {
		p := random.Program(seed, random.Shape{})
		x := interp.Explore(context.Background(), p, interp.Bounds{States: 100_000})
		for _, f := range x.Occurrences[:min(5, len(x.Occurrences))] {
			accepts := func(f interp.Found) bool {
				return interp.Accepts(context.Background(), p, f.Steps, f.Pattern, f.U.Instance, f.V.Instance, f.V.Object,
					f.Locations, f.Matched) == nil
			}
			short := f
			short.Steps = f.Steps[:f.Matched[len(f.Matched)-1]]
			late := f
			late.Matched = append([]int{}, f.Matched...)
			late.Matched[rng.IntN(len(late.Matched))] = len(f.Steps)
			swapped := f
			swapped.U, swapped.V = f.V, f.U
			twice := f
			twice.V.Instance = f.U.Instance
			wrong := f
			wrong.V.Object = len(p.Objects)
			elsewhere := f
			elsewhere.Locations = append([]int{}, f.Locations...)
			elsewhere.Locations[0] = (f.Locations[0] + 1) % len(p.Locations)
			for name, bad := range map[string]interp.Found{
				"short": short, "late": late, "swapped": swapped, "twice": twice, "wrong object": wrong, "elsewhere": elsewhere,
			} {
				if accepts(bad) {
					t.Errorf("seed %d, %v, %s: accepted", seed, f.Pattern, name)
				}
				rejected++
			}
		}
	}
	if rejected == 0 {
		t.Error("nothing to reject")
	}
}
