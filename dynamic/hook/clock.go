package hook

import (
	"sync/atomic"
	"time"
)

// In a run that is steered, time passes only where somebody has slept or a timer goes off, and
// a little whenever somebody looks at the clock. So what the program does about the time is up
// to the schedule, which can be repeated, and not to how fast the machine is.

// clock is the time in such a run.
var clock struct {
	begin  time.Time
	passed atomic.Int64 // nanoseconds
	extra  int64        // by which tick is longer
	asked  atomic.Bool  // somebody has looked at it
}

// tick is how much later it is with each look.
const tick = 10 * time.Microsecond

// Now is time.Now(), which is given to it.
func Now(g *Goroutine, now func() time.Time) time.Time {
	if g.off || steering == nil {
		return now()
	}
	clock.asked.Store(true)
	return clock.begin.Add(time.Duration(clock.passed.Add(int64(tick) + clock.extra)))
}

// Since is time.Since(t), which is given to it.
func Since(g *Goroutine, _ func(time.Time) time.Duration, t time.Time) time.Duration {
	return Now(g, time.Now).Sub(t)
}

// Until is time.Until(t), which is given to it.
func Until(g *Goroutine, _ func(time.Time) time.Duration, t time.Time) time.Duration {
	return t.Sub(Now(g, time.Now))
}

// later returns when it will be that much later.
func later(d time.Duration) (at int64) { return clock.passed.Load() + int64(max(d, 0)) }

// passTo lets time pass until then.
func passTo(at int64) {
	for now := clock.passed.Load(); now < at && !clock.passed.CompareAndSwap(now, at); {
		now = clock.passed.Load()
	}
}
