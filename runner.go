package empire

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// runner runs the stages of a request: it measures them, and holds them to the limits.
type runner struct {
	spent map[string]time.Duration
	stuck *limitError // in a stage that has not ended, which has all to itself

	engines map[string]checker.Engine // by name; they remember what they can use again
	solved  struct {                  // the last program solved: all requests about it share that
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

// run runs a stage. If a limit of ctx (see withLimits) ends it, that is the error. Each
// stage has to end by itself then; one that does not is left alone, and whatever was to
// come after it has passed the same limit.
func run[T any](ctx context.Context, r *runner, name string, stage func(context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	if r.stuck != nil {
		return outcome{}.value, r.stuck
	}
	defer r.since(name, time.Now())
	ended := make(chan outcome, 1)
	go func() {
		value, err := stage(ctx)
		ended <- outcome{value, err}
	}()
	late := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		time.Sleep(grace)
		close(late)
	})()
	select {
	case o := <-ended:
		if b := passed(ctx); b != nil && o.err != nil {
			o.err = &limitError{b, name}
		}
		return o.value, o.err
	case <-late:
		if b := passed(ctx); b != nil {
			r.stuck = &limitError{b, name}
			return outcome{}.value, r.stuck
		}
		return outcome{}.value, ctx.Err()
	}
}

// set adds to the time spent in a stage.
func (r *runner) set(stage string, d time.Duration) {
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
		Reduce: ms("isolate") + ms("reduce"), Lower: ms("lower") + ms("simplify"), Check: ms("check"), Total: ms("total"),
	}
}

// PeakMiB returns the largest resident size of the process so far, 0 where the
// operating system does not tell.
func PeakMiB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				return 0
			}
			return kib / 1024
		}
	}
	return 0
}
