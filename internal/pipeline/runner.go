package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
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
	left  int // stages that were left alone, see leave

	budget *budget // that the queries share; nil: each has its own limits
	turn   turn

	divided int // how often the part that is planned was divided, see planWork

	tooLarge tooLarge // to be lowered with a share of the budget

	graphs map[*analysis]int64 // about how many bytes the graphs take that are kept for another try

	kept *kept // answers of earlier runs; nil: none

	atStage func(name string) // called in the stage, for tests

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

// A stage ends within milliseconds when its context is done. If one does not, which is a defect of
// it, it is left alone: after lateness where a limit has ended it, and sooner where the user has.
const (
	lateness   = 2 * time.Second
	impatience = 300 * time.Millisecond
)

// run runs a stage. If a limit of ctx (see limit.ForQuery) ends it, that is the error.
func run[T any](ctx context.Context, r *runner, name string, stage func(context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	defer r.since(name, time.Now())
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.err = &InternalError{name, p, string(debug.Stack())}
			}
			ended <- o
		}()
		if r.atStage != nil {
			r.atStage(name)
		}
		o.value, o.err = stage(ctx)
	}()
	late := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		patience := impatience
		if limit.Passed(ctx) != nil {
			patience = lateness
		}
		time.Sleep(patience)
		close(late)
	})()
	select {
	case o := <-ended:
		if b := limit.Passed(ctx); b != nil && o.err != nil {
			o.err = &limitError{b, name}
		}
		return o.value, o.err
	case <-late:
		r.leave()
		if b := limit.Passed(ctx); b != nil {
			return outcome{}.value, &limitError{b, name}
		}
		return outcome{}.value, ctx.Err()
	}
}

// baseOf returns the points-to solution of a program that is there: of the last one, or of one of which a graph is
// kept, which needs it. nil: there is none.
func (r *runner) baseOf(main *ssa.Package) *pointsto.Base {
	if r.solved.main == main {
		return r.solved.base
	}
	for a := range r.graphs {
		if a.base != nil && a.entry.Main == main && a.generation == r.generation() {
			return a.base
		}
	}
	return nil
}

// leave notes that a stage has not ended in time, and goes on with what it has. What is done next must
// not use that any more: it makes its own.
func (r *runner) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left++
	r.solved.main, r.solved.base = nil, nil
}

// generation changes when a stage was left alone.
func (r *runner) generation() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.left
}

// bytesOfNode is about what a node of a graph takes, with what reduction and lowering find out about it. It was
// measured on modules whose programs have 10,000 nodes.
const bytesOfNode = 8 << 10

// makeRoom forgets the graph of an analysis if there is no room for another one: those of all analyses may take a
// quarter of the memory, lest the collector works all the time. Queries are tried again in the same order, so that of
// all graphs the latest one is needed last.
func (r *runner) makeRoom(a *analysis) {
	delete(r.graphs, a)
	if a.graph == nil {
		return
	}
	size := bytesOfNode * int64(len(a.graph.Nodes()))
	held := size
	for _, other := range r.graphs {
		held += other
	}
	if held > a.request.Memory/4 {
		a.forget()
		return
	}
	if r.graphs == nil {
		r.graphs = map[*analysis]int64{}
	}
	r.graphs[a] = size
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

// place returns the function that panicked, and where in it: the first one, where panics go on.
func (e *InternalError) place() string {
	lines, at := strings.Split(e.Stack, "\n"), -1
	for i, l := range lines {
		if strings.HasPrefix(l, "panic(") {
			at = i
		}
	}
	for i := at + 2; i+1 < len(lines); i += 2 {
		if !strings.HasPrefix(lines[i], "runtime.") {
			name, _, _ := strings.Cut(filepath.Base(lines[i]), "(0x")
			position, _, _ := strings.Cut(filepath.Base(strings.TrimSpace(lines[i+1])), " ")
			return name + " at " + position
		}
	}
	return "somewhere"
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
		Blocking: ms("blocking"), Candidates: ms("candidates"),
		Reduce: ms("isolate") + ms("reduce"), Lower: ms("lower") + ms("simplify"), Check: ms("check"), Total: ms("total"),
	}
}
