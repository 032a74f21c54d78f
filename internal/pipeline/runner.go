package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/limit"
)

// runner runs the stages of a request: it measures them, and holds them to the limits.
// Stages may run at the same time.
type runner struct {
	mu    sync.Mutex // of the next two
	spent map[string]time.Duration
	stuck *stuckStage // that has not ended, which has all to itself

	keepsDone bool // where the run is interrupted the answers so far are the result

	engines     map[string]checker.Engine // by name; they remember what they can use again
	turns       sync.Mutex                // see analysis.turns
	experiments experiments
	solved      struct { // the last program solved: all requests about it share that
		main *ssa.Package
		base *pointsto.Base
	}
}

// engine returns the decision procedure with the name, the same for all queries.
func (r *runner) engine(name string) checker.Engine {
	if r.engines[name] == nil {
		if r.engines == nil {
			r.engines = map[string]checker.Engine{}
		}
		r.engines[name] = NewEngine(name)
	}
	return r.engines[name]
}

// grace is how long a stage may go on when its context is done.
const grace = time.Second

// stuckStage is a stage that has not ended in spite of its limit.
type stuckStage struct {
	limit *limitError
	ended chan struct{}
	left  bool // it was waited for in vain
}

// run runs a stage. If a limit of ctx (see limit.ForQuery) ends it, that is the error. Each
// stage has to end by itself then; one that does not is left alone, and whatever was to
// come after it has passed the same limit.
func run[T any](ctx context.Context, r *runner, name string, stage func(context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	if limit := r.stuckIn(nil, nil); limit != nil {
		return outcome{}.value, limit
	}
	defer r.since(name, time.Now())
	ended, over := make(chan outcome, 1), make(chan struct{})
	go func() {
		defer close(over)
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.err = &InternalError{name, p, string(debug.Stack())}
			}
			ended <- o
		}()
		o.value, o.err = stage(ctx)
	}()
	late := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		time.Sleep(grace)
		close(late)
	})()
	select {
	case o := <-ended:
		if b := limit.Passed(ctx); b != nil && o.err != nil {
			o.err = &limitError{b, name}
		}
		return o.value, o.err
	case <-late:
		if b := limit.Passed(ctx); b != nil {
			return outcome{}.value, r.stuckIn(&limitError{b, name}, over)
		}
		return outcome{}.value, ctx.Err()
	}
}

// InternalError is a defect: a stage has panicked.
type InternalError struct {
	Stage string
	Value any
	Stack string
}

// Error returns what the stage panicked with, and where.
func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error in stage %s: %v (%s); please report it", e.Stage, e.Value, e.place())
}

// place returns the function that panicked, and where in it.
func (e *InternalError) place() string {
	lines := strings.Split(e.Stack, "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "panic(") })
	for i := at + 2; i+1 < len(lines); i += 2 {
		if !strings.HasPrefix(lines[i], "runtime.") {
			name, _, _ := strings.Cut(filepath.Base(lines[i]), "(0x")
			position, _, _ := strings.Cut(filepath.Base(strings.TrimSpace(lines[i+1])), " ")
			return name + " at " + position
		}
	}
	return "somewhere"
}

// stuckIn notes that a stage has not ended, unless it is nil, and returns the limit of the first
// one that has not.
func (r *runner) stuckIn(stage *limitError, over chan struct{}) *limitError {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stuck == nil && stage != nil {
		r.stuck = &stuckStage{limit: stage, ended: over}
	}
	if r.stuck == nil {
		return nil
	}
	return r.stuck.limit
}

// settle waits for a stage that has not ended, once and so long at most: on a busy machine, or with
// much to be given back, it may be a while until it does. The next query is then as any other.
func (r *runner) settle(ctx context.Context, most time.Duration) {
	r.mu.Lock()
	stuck := r.stuck
	r.mu.Unlock()
	if stuck == nil || stuck.left {
		return
	}
	stuck.left = true
	select {
	case <-stuck.ended:
		r.mu.Lock()
		r.stuck = nil
		r.mu.Unlock()
	case <-time.After(most):
	case <-ctx.Done():
	}
}

// set adds to the time spent in a stage.
func (r *runner) set(stage string, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spent == nil {
		r.spent = map[string]time.Duration{}
	}
	r.spent[stage] += d
}

// since adds the time since begin.
func (r *runner) since(stage string, begin time.Time) { r.set(stage, time.Since(begin)) }

// timings returns the times in milliseconds.
func (r *runner) timings() *Timings {
	ms := func(stage string) float64 {
		return float64(r.spent[stage].Round(10*time.Microsecond)) / float64(time.Millisecond)
	}
	return &Timings{
		Load: ms("load"), SSA: ms("ssa"), PointsTo: ms("base") + ms("refine"), Base: ms("base"), Refine: ms("refine"),
		Candidates: ms("candidates"),
		Reduce:     ms("isolate") + ms("reduce"), Lower: ms("lower") + ms("simplify"), Check: ms("check"), Total: ms("total"),
	}
}
