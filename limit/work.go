package limit

import (
	"context"
	"sync/atomic"
	"time"
)

// Work is an amount of work. Stages count their steps, each kind of which costs a fixed number of
// units, so that a limit on work ends them at the same step on every machine, however busy it is.
//
// A unit is about a nanosecond of a processor. That was measured, with the steps below, on two
// cores of a server in the cloud, on the modules that this tool is developed with (the processor
// time of all threads, the garbage collector's with it). It is right for a whole run within a
// factor of two or so, and better the longer it takes; for a single stage it may be off by more.
type Work int64

// Second is the work of about a second of the clock: the collector, and what is asked side by side, use a second
// core.
const Second Work = 16e8

// What a step of a kind costs, in one place: who changes what a step is measures again.
const (
	Ask         Work = 1_500   // a call of Poll.Check: a question of a stage, or a round of one of its loops
	Propagation Work = 3_000   // a node of the points-to graph hands on what is new in its set, unless that is much
	Handed      Work = 15      // it hands a word of the set on along an edge
	Translated  Work = 200     // it finds out what a constraint makes of a label
	Generated   Work = 60_000  // constraints are made of a function
	Statement   Work = 4_000   // lowering has made a statement of the model
	Simplified  Work = 50      // simplification looks at a statement of the model
	Gripped     Work = 100     // it finds out how a lock is held behind a statement
	Transition  Work = 400     // saturation adds a transition to an automaton
	State       Work = 2_000   // a state of a product or of an automaton is visited
	Rule        Work = 500     // a rule of a system that is asked about is made and looked at
	Guess       Work = 2_000   // a question about two units of work is posed
	Pivot       Work = 20_000  // a step of the simplex method
	Factor      Work = 60      // a factor in a row is worked out in such a step
	Replayed    Work = 2_000   // a step of a run is replayed
	Instruction Work = 500     // the interpreter carries out an instruction of the program
	SummedUp    Work = 80_000  // it is summed up what a function does, to see whether calls of it can be left out
	Linked      Work = 500     // it is noted that it may call another one
	Evaluated   Work = 250_000 // an instruction that the model has is evaluated in a state of a goroutine
	Computed    Work = 5_000   // another one is
	Offered     Work = 1_000   // it is found out what a goroutine can do in a state of all
	Visited     Work = 300     // a search for those that hinder each other comes to such a state
)

// Unlimited is work that nothing takes.
const Unlimited Work = 1 << 62

// InWork is the work that takes about so long.
func InWork(d time.Duration) Work { return Work(d.Seconds() * float64(Second)) }

// Duration is about how long the work takes.
func (w Work) Duration() time.Duration {
	return time.Duration(float64(w) / float64(Second) * float64(time.Second))
}

// Meter counts the work that is done under a context.
type Meter struct {
	spent   atomic.Int64
	allowed Work
	outer   *Meter
	bound   *Bound // as which it is passed
	cancel  context.CancelCauseFunc
}

type meterKey struct{}

// WithWork returns a context that is done, with the bound as its cause, when more work than that was
// done under it. The work counts for the contexts that it is made of as well.
func WithWork(ctx context.Context, allowed Work, bound *Bound) (context.Context, *Meter) {
	return withMeter(ctx, &Meter{allowed: allowed, outer: meterOf(ctx), bound: bound})
}

// Part returns a context for one of so many parts of the work that is left, and what ends it. Where there is no limit
// it is the same context.
func Part(ctx context.Context, parts Work) (part context.Context, stop func()) {
	left, isLimited := Left(ctx)
	if !isLimited {
		return ctx, func() {}
	}
	part, meter := WithWork(ctx, left/parts, ErrWork)
	return part, meter.Stop
}

// Apart is WithWork for work that does not count for the context by itself: who does several things
// at once adds it up when it is known which of them count (see Pay).
func Apart(ctx context.Context, allowed Work) (context.Context, *Meter) {
	return withMeter(ctx, &Meter{allowed: allowed, bound: ErrWork})
}

func withMeter(ctx context.Context, m *Meter) (context.Context, *Meter) {
	ctx, m.cancel = context.WithCancelCause(ctx)
	return context.WithValue(ctx, meterKey{}, m), m
}

// Free returns a context under which no work is counted.
func Free(ctx context.Context) context.Context {
	return context.WithValue(ctx, meterKey{}, (*Meter)(nil))
}

func meterOf(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// Spent returns the work that was done, at most as much as is allowed.
func (m *Meter) Spent() Work {
	if m == nil {
		return 0
	}
	return min(Work(m.spent.Load()), m.allowed)
}

// IsPassed tells whether more was done than is allowed.
func (m *Meter) IsPassed() bool { return Work(m.spent.Load()) > m.allowed }

// Stop ends the context, of which nothing is needed any more but the meter.
func (m *Meter) Stop() { m.cancel(context.Canceled) }

func (m *Meter) spend(w Work) {
	for ; m != nil; m = m.outer {
		if Work(m.spent.Add(int64(w))) > m.allowed {
			m.cancel(m.bound)
		}
	}
}

// Pay counts work that is done under the context, and returns its error.
func Pay(ctx context.Context, w Work) error {
	meterOf(ctx).spend(w)
	return ctx.Err()
}

// Spent returns the work that was done under the context, since its innermost limit was set.
func Spent(ctx context.Context) Work { return meterOf(ctx).Spent() }

// Left returns how much work the context still allows; false if there is no limit.
func Left(ctx context.Context) (left Work, limited bool) {
	for m := meterOf(ctx); m != nil; m = m.outer {
		if l := max(0, m.allowed-Work(m.spent.Load())); !limited || l < left {
			left, limited = l, true
		}
	}
	return left, limited
}
