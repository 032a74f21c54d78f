package hook

import (
	"math/rand/v2"
	"time"
)

// policy chooses who goes on.
type policy interface {
	join(w *worker)                   // it exists
	passes(w *worker)                 // it is let go on from where it is parked
	closed(w *worker)                 // one of its units has ended
	choose(enabled []*worker) *worker // nil: nobody yet
	isDone() bool                     // main may end the program
}

// noRole is the role of a worker that has none.
const noRole = -1

func newPolicy(script *script, s *controller) policy {
	random := random{source: rand.New(rand.NewPCG(script.seed, 12)), s: s}
	switch script.mode {
	case followMode:
		return newFollow(script, random)
	case replayMode:
		return &replay{script: script, s: s}
	}
	return &roam{random}
}

// random is what the policies that take seeded decisions have in common.
type random struct {
	source *rand.Rand
	s      *controller
	run    int // points that the holder has passed one after the other
	naps   int // how many times a worker sleeps or yields before it rests
	list   []*worker
}

// join gives the worker a priority.
func (r *random) join(w *worker) {
	w.priority = w.id
	switch {
	case r.s.script.young:
		w.priority = -w.id
	case r.s.script.seed > 0:
		w.priority = r.source.IntN(1 << 20)
	}
}

// isBefore decides between workers that are equally good: who runs goes on, unless the last
// one that was started comes before all.
func (r *random) isBefore(a, b *worker) bool {
	if !r.s.script.young && (a == r.s.holder || b == r.s.holder) {
		return a == r.s.holder
	}
	return a.priority < b.priority
}

// A worker that has passed longRun points in a row, or sleeps or yields, rests for some points,
// in which others get a turn: it may be waiting for them in a loop.
const (
	longRun = 800
	rest    = 60
	nap     = 12
)

// awake leaves out those who rest, unless nobody else is there. Whoever has slept a few times
// since he was of use waits for others in a loop.
func (r *random) awake(enabled []*worker) []*worker {
	if h := r.s.holder; h != nil && r.run >= longRun {
		h.asleep, r.run = r.s.log.points+rest, 0
	}
	r.list = r.list[:0]
	for _, w := range enabled {
		if w.at.op == pausePoint && w.asleep == 0 {
			if w.asleep = max(1, r.s.log.points); w.naps >= r.naps {
				w.asleep += nap
			}
			w.naps++
		}
		if w.asleep <= r.s.log.points {
			r.list = append(r.list, w)
		}
	}
	if len(r.list) == 0 {
		return enabled
	}
	return r.list
}

// picked keeps count of the points in a row.
func (r *random) picked(w *worker) *worker {
	if r.run++; w != r.s.holder {
		r.run = 0
	}
	w.asleep = 0
	return w
}

// roam chooses at random, with more preemptions where an event of the script could be.
type roam struct{ random }

func (p *roam) passes(*worker) {}
func (p *roam) closed(*worker) {}
func (p *roam) isDone() bool   { return p.s.script.seed%4 == 0 }

func (p *roam) choose(enabled []*worker) *worker {
	return p.picked(p.mixed(p.awake(enabled), oddsAnywhere))
}

// The odds of a preemption, of 1000: anywhere, and where an event of the script could be.
const (
	oddsAnywhere = 25
	oddsAtEvent  = 350
)

// mixed returns the one that comes before the others, mostly, or with some odds one at random.
func (r *random) mixed(enabled []*worker, odds int) *worker {
	best := enabled[0]
	for _, w := range enabled[1:] {
		if r.isBefore(w, best) {
			best = w
		}
	}
	for _, e := range r.s.script.events {
		if e.sites[best.at.site] {
			odds = max(odds, oddsAtEvent)
		}
	}
	if r.source.IntN(1000) < odds {
		best = enabled[r.source.IntN(len(enabled))]
	}
	return best
}

// repeatWait is how long a replay waits for a worker whose turn it is.
const repeatWait = 2 * time.Second

// replay repeats the choices of a log.
type replay struct {
	script *script
	s      *controller
	next   int // choice
	isLost bool
}

func (p *replay) join(*worker)   {}
func (p *replay) passes(*worker) {}
func (p *replay) closed(*worker) {}
func (p *replay) isDone() bool   { return true }

func (p *replay) choose(enabled []*worker) *worker {
	for p.next < len(p.script.choices) && p.script.choices[p.next].point <= p.s.log.points {
		p.next++
	}
	if p.next > 0 {
		for _, w := range enabled {
			if w.id == p.script.choices[p.next-1].worker {
				return w
			}
		}
		if !p.isLost && (p.s.idleSince.IsZero() || time.Since(p.s.idleSince) < repeatWait) {
			return nil // the world may be slower this time
		}
	}
	if !p.isLost {
		p.isLost = true
		p.s.log.left(p.s.log.points)
	}
	return enabled[0]
}
