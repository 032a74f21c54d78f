package hook

import "time"

// In a run that is steered, a timer goes off when the conductor says so, like
// everything else that may happen at any moment. A goroutine that has nothing else to do
// stands for it.

// never is when the timer of the runtime would go off.
const never = 1000 * time.Hour

// After is time.After(d), which is given to it.
func After(g *Goroutine, after func(time.Duration) <-chan time.Time, site uint32, d time.Duration) <-chan time.Time {
	if g.off || steering == nil {
		return after(d)
	}
	return newTimer(g, site, d).C
}

// NewTimer is time.NewTimer(d), which is given to it.
func NewTimer(g *Goroutine, timer func(time.Duration) *time.Timer, site uint32, d time.Duration) *time.Timer {
	if g.off || steering == nil {
		return timer(d)
	}
	return newTimer(g, site, d)
}

func newTimer(g *Goroutine, site uint32, d time.Duration) *time.Timer {
	t, at := time.NewTimer(never), later(d)
	g.goesOff(site, func() {
		if t.Stop() {
			passTo(at)
			t.Reset(0)
		}
	})
	return t
}

// AfterFunc is time.AfterFunc(d, f), which is given to it.
func AfterFunc(g *Goroutine, after func(time.Duration, func()) *time.Timer, site uint32, d time.Duration,
	f func()) *time.Timer {
	if g.off || steering == nil || f == nil {
		return after(d, f)
	}
	t, at := time.AfterFunc(never, f), later(d)
	g.goesOff(site, func() {
		if t.Stop() {
			passTo(at)
			f()
		}
	})
	return t
}

// goesOff starts the goroutine of a timer.
func (g *Goroutine) goesOff(site uint32, f func()) {
	c := g.Fork(site)
	steering.timer(c)
	go func() {
		g := c.Begin()
		defer g.End()
		f()
	}()
}

// RunParallel is b.RunParallel(f) for a *testing.B: with more goroutines than the one that a
// run on one processor would have.
func RunParallel[B interface {
	SetParallelism(int)
	RunParallel(F)
}, F any](g *Goroutine, b B, f F) {
	if !g.off && steering != nil {
		b.SetParallelism(parallelism)
	}
	b.RunParallel(f)
}

const parallelism = 3
