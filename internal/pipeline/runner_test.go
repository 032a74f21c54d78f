package pipeline

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// countdown is a context that is cancelled when it has been asked for its error a
// number of times: a limit that is passed at a point of the work, not of time.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
	late   atomic.Int64 // questions after that
}

func newCountdown(t *testing.T, questions int) *countdown {
	c := &countdown{}
	c.Context, c.cancel = context.WithCancel(t.Context())
	c.left.Store(int64(questions))
	t.Cleanup(c.cancel)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
		c.late.Add(1)
	}
	return c.Context.Err()
}

// TestStagesEnd requires of each stage after loading that it ends with an error, and
// without looking further, when its context is done: at once, and at any later point.
func TestStagesEnd(t *testing.T) {
	r := Request{Packages: []string{"./testdata/library_cache"}, Type: "Cache"}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	ctx, stages := t.Context(), &runner{}
	program, err := loadProgram(ctx, r, stages)
	if err != nil {
		t.Fatal(err)
	}
	all, err := entries(r, program)
	if err != nil {
		t.Fatal(err)
	}
	analysed, err := analyses(ctx, r, all[0], planNamed(r), stages)
	if err != nil {
		t.Fatal(err)
	}
	a := analysed[0]
	sites, err := a.sites()
	if err != nil {
		t.Fatal(err)
	}
	m, err := a.model(ctx, sites[0], shallow, nil)
	if err != nil {
		t.Fatal(err)
	}
	config := pointsto.Config{Program: program.SSA,
		Roots: []*ssa.Function{all[0].Main.Func("init"), all[0].Main.Func("main")}}
	base, err := pointsto.Solve(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	for name, stage := range map[string]func(context.Context) error{
		"base": func(ctx context.Context) error { _, err := pointsto.Solve(ctx, config); return err },
		"refine": func(ctx context.Context) error {
			_, err := base.Refine(ctx, pointsto.Sensitivity{Subject: a.subject.Is})
			return err
		},
		"isolate": func(ctx context.Context) error {
			_, err := isolate.Isolate(ctx, a.program, a.graph, a.often, a.subject, sites[0], a.unitFor)
			return err
		},
		"reduce": func(ctx context.Context) error {
			_, err := reduce.Reduce(ctx, a.graph, a.often, m.stars, reduce.Options{})
			return err
		},
		"lower": func(ctx context.Context) error {
			_, err := lower.Lower(ctx, lower.Config{Program: a.program, Graph: a.graph, Multiplicity: a.often, Stars: m.stars,
				Kept: m.kept, UnitFor: a.unitFor, Copies: 2})
			return err
		},
		"simplify": func(ctx context.Context) error { _, err := simplified(ctx, m.lowered); return err },
		"check": func(ctx context.Context) error {
			found, err := checker.Check(ctx, m.lowered.Program,
				checker.Options{Scenarios: scenarios.Table, Engine: NewEngine("refine")})
			for _, f := range found.Findings {
				if _, ok := f.Verdict.(checker.Unknown); ok {
					return context.Canceled
				}
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ended := 0
			for questions := 0; questions < 1<<20; questions = 2*questions + 1 {
				ctx := newCountdown(t, questions)
				err := stage(ctx)
				if ctx.left.Load() >= 0 {
					break // it came to its end before
				}
				if ended++; !errors.Is(err, context.Canceled) && name != "check" {
					t.Errorf("cancelled at question %d: error %v", questions, err)
				}
				if late := ctx.late.Load(); late > 1000 {
					t.Errorf("cancelled at question %d: asks %d times more", questions, late)
				}
			}
			if ended == 0 {
				t.Error("never looks at its context")
			}
		})
	}
}

// TestRunnerLeavesStuckStage requires that a stage that ignores its context is left alone, and that what
// comes after it is carried out as any other, without anything that the stage may still use.
func TestRunnerLeavesStuckStage(t *testing.T) {
	ctx, stop := limit.ForQuery(t.Context(), time.Nanosecond, DefaultMemory)
	defer stop()
	r, end := &runner{}, make(chan bool)
	defer close(end)
	before := r.generation()
	_, err := run(ctx, r, "endless", func(context.Context) (bool, error) { return <-end, nil })
	if late := new(limitError); !errors.As(err, &late) || late.stage != "endless" || late.bound != limit.ErrTime {
		t.Fatalf("error %v", err)
	}
	if r.generation() == before {
		t.Error("nothing tells that what the stage uses is not to be used any more")
	}
	done, err := run(t.Context(), r, "next", func(context.Context) (bool, error) { return true, nil })
	if !done || err != nil {
		t.Errorf("%v, error %v", done, err)
	}
}

// TestOverrunLeavesOthersAlone plants a stage that never ends in the first query about two
// programs. The other queries have their answers, also about the same set at the next site.
func TestOverrunLeavesOthersAlone(t *testing.T) {
	r := Request{Packages: []string{"./testdata/vector", "./testdata/vector_fixed"}, Timeout: 20 * time.Second}
	if err := r.Normalize(); err != nil {
		t.Fatal(err)
	}
	program, err := loadProgram(t.Context(), r, &runner{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := entries(r, program)
	if err != nil {
		t.Fatal(err)
	}
	answers := func(atStage func(name string)) []QueryResult {
		result := newResult(r, program)
		if err := runEntries(t.Context(), r, all, result, &runner{atStage: atStage}); err != nil {
			t.Fatal(err)
		}
		return result.Queries
	}
	begin := time.Now()
	plain := answers(nil)
	end, isPlanted := make(chan bool), new(atomic.Bool)
	defer close(end)
	r.Timeout = max(2*time.Second, 3*time.Since(begin)) // the others end within it, also on a busy machine
	planted := answers(func(name string) {
		if name == "isolate" && !isPlanted.Swap(true) {
			<-end
		}
	})
	if len(plain) < 2 || len(planted) != len(plain) {
		t.Fatalf("%d and %d answers", len(plain), len(planted))
	}
	late := 0
	for i, a := range plain {
		b := planted[i]
		if strings.Contains(b.Reason, "in stage isolate") {
			late++
		} else if a.Verdict != b.Verdict || len(a.Scenarios) != len(b.Scenarios) {
			t.Errorf("%s at %s: %s, %s; beside a stage that does not end %s, %s", a.Type, a.Site, a.Verdict, a.Reason,
				b.Verdict, b.Reason)
		}
	}
	if late != 1 {
		t.Errorf("%d queries have passed their limits, want 1", late)
	}
}
