package pipeline

import (
	"context"
	"errors"
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
	m, err := a.model(ctx, sites[0])
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

// TestRunnerLeavesStuckStage requires that a stage that ignores its context is left
// alone, and that nothing is run beside it.
func TestRunnerLeavesStuckStage(t *testing.T) {
	ctx, stop := limit.ForQuery(t.Context(), time.Nanosecond, DefaultMemory)
	defer stop()
	r, end := &runner{}, make(chan bool)
	defer close(end)
	_, err := run(ctx, r, "endless", func(context.Context) (bool, error) { return <-end, nil })
	if late := new(limitError); !errors.As(err, &late) || late.stage != "endless" || late.bound != limit.ErrTime {
		t.Fatalf("error %v", err)
	}
	_, err = run(t.Context(), r, "next", func(context.Context) (bool, error) {
		t.Error("runs beside a stage that has not ended")
		return true, nil
	})
	if limit := new(limitError); !errors.As(err, &limit) || limit.stage != "endless" {
		t.Errorf("error %v", err)
	}
}

// TestRunnerWaitsForLateStage requires that the next query is answered when a stage has ended later
// than it should.
func TestRunnerWaitsForLateStage(t *testing.T) {
	ctx, stop := limit.ForQuery(t.Context(), time.Nanosecond, DefaultMemory)
	defer stop()
	r, end := &runner{}, make(chan bool)
	if _, err := run(ctx, r, "late", func(context.Context) (bool, error) { return <-end, nil }); err == nil {
		t.Fatal("no error")
	}
	close(end)
	r.settle(t.Context(), time.Minute)
	done, err := run(t.Context(), r, "next", func(context.Context) (bool, error) { return true, nil })
	if !done || err != nil {
		t.Errorf("%v, error %v", done, err)
	}
}
