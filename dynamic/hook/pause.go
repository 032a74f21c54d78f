package hook

import "time"

// Sleep is time.Sleep(d), which is given to it. A run that is steered has no need to sleep:
// any other goroutine may do any amount of work while one sleeps, and as little.
func Sleep(g *Goroutine, sleep func(time.Duration), d time.Duration) {
	if !g.off && steering != nil {
		at := later(d)
		steering.pause(g)
		passTo(at)
		return
	}
	sleep(d)
}

// Spin is called before each round of a loop that may wait for others without a call that says
// so. It returns true, to be part of the loop's condition.
func Spin(g *Goroutine) bool {
	if !g.off && steering != nil {
		steering.pause(g)
	}
	return true
}

// Ordered returns a map that a loop is about to go through, in an order that a replay repeats if the map is
// small.
func Ordered[M any](g *Goroutine, m M) M {
	if steering != nil {
		steering.pin()
	}
	return m
}

// Yield is runtime.Gosched(), which is given to it.
func Yield(g *Goroutine, yield func()) {
	if !g.off && steering != nil {
		steering.pause(g)
		return
	}
	yield()
}
