package checker_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// TestLittleWork: with less work than it takes, verdicts are those of all the work, or there is none. A guess that is
// asked about again, with more, has what was found before.
func TestLittleWork(t *testing.T) {
	safe, violations, unknown := 0, 0, 0
	for seed := range uint64(60) {
		p := random.Program(seed+12_000_000, random.Shape{Processes: 3})
		all, spent := checkWith(t, p, limit.Second)
		for _, part := range []limit.Work{2, 3, 5, 9, 20, 60} {
			some, _ := checkWith(t, p, spent/part)
			for i, f := range some.Findings {
				got, want := fmt.Sprintf("%T", f.Verdict), fmt.Sprintf("%T", all.Findings[i].Verdict)
				switch f.Verdict.(type) {
				case checker.Unknown:
					unknown++
					continue
				case checker.Safe:
					safe++
				case checker.Violation:
					violations++
				}
				if got != want && want != "checker.Unknown" {
					t.Fatalf("seed %d, a part of %d, scenario %d: %s, with all the work %s\n%v", seed, part, f.Scenario.Number, got,
						want, p)
				}
			}
		}
	}
	t.Logf("%d safe, %d violations, %d unknown", safe, violations, unknown)
	if safe == 0 || violations == 0 || unknown == 0 {
		t.Error("a kind of verdict does not occur")
	}
}

// TestLittleWorkAgain: what an engine remembers of a run changes neither the answer of the next one nor its work, also
// where the work ends it.
func TestLittleWorkAgain(t *testing.T) {
	for seed := range uint64(60) {
		p := random.Program(seed+13_000_000, random.Shape{Processes: 3})
		_, spent := checkWith(t, p, limit.Second)
		for _, part := range []limit.Work{1, 2, 5, 20, 60} {
			engine := refine.New()
			first, took := checkBy(t, engine, p, spent/part)
			second, tookAgain := checkBy(t, engine, p, spent/part)
			if diff := cmp.Diff(first, second); diff != "" || took != tookAgain {
				t.Fatalf("seed %d, a part of %d: %d units of work, again %d; -first +second\n%s", seed, part, took, tookAgain, diff)
			}
		}
	}
}

func checkWith(t *testing.T, p *esl.Program, work limit.Work) (*checker.Result, limit.Work) {
	t.Helper()
	return checkBy(t, refine.New(), p, work)
}

func checkBy(t *testing.T, engine checker.Engine, p *esl.Program, work limit.Work) (*checker.Result, limit.Work) {
	t.Helper()
	ctx, meter := limit.WithWork(context.Background(), work, limit.ErrWork)
	defer meter.Stop()
	r, err := checker.Check(ctx, p, checker.Options{Scenarios: scenarios.Table, Engine: engine})
	if err != nil {
		t.Fatal(err)
	}
	return r, meter.Spent()
}
