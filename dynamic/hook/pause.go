package hook

import "time"

// Sleep is time.Sleep(d), which is given to it. A run that is steered has no need to sleep:
// any other goroutine may do any amount of work while one sleeps, and as little.
func Sleep(g *Goroutine, sleep func(time.Duration), d time.Duration) {
	if !g.off && steering != nil {
		steering.pause(g)
		return
	}
	sleep(d)
}

// Yield is runtime.Gosched(), which is given to it.
func Yield(g *Goroutine, yield func()) {
	if !g.off && steering != nil {
		steering.pause(g)
		return
	}
	yield()
}
