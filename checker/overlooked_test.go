package checker

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// TestOverlooked compares verdicts where some accesses match nothing with those of the program without them.
func TestOverlooked(t *testing.T) {
	compared, violated := 0, 0
	for seed := range uint64(testmain.Count(60)) {
		r := rand.New(rand.NewPCG(seed, 21))
		p := random.Program(seed+15_000_000, random.Shape{Recursion: 0.1})
		without, left := *p, []esl.Place(nil)
		without.Functions = slices.Clone(p.Functions)
		for f := range p.Functions {
			body := slices.Clone(p.Functions[f].Body)
			for i := range p.Functions[f].Body {
				s := &p.Functions[f].Body[i]
				if s.Op == esl.Access && s.Access == esl.Increment {
					s.Access = esl.RMW // whether increments commute hangs on all other accesses
				}
				if body[i] = *s; s.Op == esl.Access && r.IntN(3) == 0 {
					body[i] = esl.Stmt{Op: esl.Skip}
					left = append(left, esl.Place{Function: f, Index: i})
				}
			}
			without.Functions[f].Body = body
		}
		o := Options{Scenarios: scenarios.Table, Engine: naive{Depth: 8}, Limits: Limits{States: 30_000}, NoRaces: true}
		want := verdictsOf(t, &without, o)
		o.Overlooked = func(_ scenarios.Unit, at esl.Place) bool { return slices.Contains(left, at) }
		got := verdictsOf(t, p, o)
		for i := range want {
			if want[i] == "" || got[i] == "" {
				continue
			}
			if compared++; want[i] == "violated" {
				violated++
			}
			if want[i] != got[i] {
				t.Fatalf("seed %d, scenario %d: %s, and without the accesses %s:\n%v\n%v", seed, i+1, got[i], want[i], p, left)
			}
		}
	}
	t.Logf("%d verdicts compared, %d violated", compared, violated)
	if violated == 0 {
		t.Error("no program has a violation")
	}
}

// verdictsOf are the verdicts on scenarios, "" where there is none.
func verdictsOf(t *testing.T, p *esl.Program, o Options) (all []string) {
	t.Helper()
	r, err := Check(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		switch f.Verdict.(type) {
		case Violation:
			all = append(all, "violated")
		case Safe:
			all = append(all, "safe")
		default:
			all = append(all, "")
		}
	}
	return all
}
