package checker

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/scenarios"
)

// scale returns n times the value of EMPIRE_LONG, if that is set.
func scale(n int) int {
	if k, err := strconv.Atoi(os.Getenv("EMPIRE_LONG")); err == nil && k > 0 {
		return n * k
	}
	return n
}

// TestAgainstInterpreter compares Check with an exploration of all runs by the
// interpreter, on random programs: the same scenarios are violated, and the same
// locations are in data races, wherever both are complete.
func TestAgainstInterpreter(t *testing.T) {
	var compared, violated int
	for seed := range uint64(scale(150)) {
		p := random.Program(seed, random.Shape{Recursion: 0.1})
		x := interp.Explore(context.Background(), p, interp.Bounds{States: 100_000, Depth: 6})
		r, err := Check(context.Background(), p, Options{Scenarios: scenarios.Table, Engine: naive{Depth: 8}, Limits: Limits{States: 50_000}})
		if err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, p)
		}
		got, complete := violations(t, r)
		want := x.Scenarios()
		switch {
		case complete && x.Complete:
			compared++
			if !slices.Equal(got, want) {
				t.Errorf("seed %d: Check finds %v, the interpreter %v", seed, got, want)
			}
			if (r.DataRace != nil) != (len(x.Races) > 0) || !r.RaceKnown {
				t.Errorf("seed %d: Check finds the race %v, the interpreter %v", seed, r.DataRace, x.Races)
			}
		case complete:
			if extra := slices.DeleteFunc(want, func(n int) bool { return n == scenarios.ConflictCycle || slices.Contains(got, n) }); len(extra) > 0 {
				t.Errorf("seed %d: Check finds %v, the interpreter also %v", seed, got, extra)
			}
		}
		if len(got) > 0 {
			violated++
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%v", seed, p)
		}
	}
	t.Logf("%d programs compared, %d of all with violations", compared, violated)
}

// violations returns the numbers of the violated scenarios, and whether no verdict
// is unknown.
func violations(t *testing.T, r *Result) (numbers []int, complete bool) {
	t.Helper()
	complete = true
	for _, f := range r.Findings {
		switch v := f.Verdict.(type) {
		case Violation:
			numbers = append(numbers, f.Scenario.Number)
		case Unknown:
			complete = false
			if strings.Contains(v.Reason, notReplayed) {
				t.Errorf("scenario %d: %s", f.Scenario.Number, v.Reason)
			}
		}
	}
	return numbers, complete
}

var _ = fmt.Sprint
var _ esl.Op
