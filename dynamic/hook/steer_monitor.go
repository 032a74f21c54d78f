package hook

import (
	"os"
	"runtime"
	"time"
)

// Bounds of the monitor.
const (
	quickYield  = 300 * time.Microsecond // a yield that takes longer let somebody run for long
	idleYields  = 3                      // quick yields without an arrival after which the holder is looked at
	settleYield = 2                      // the same, when the holder has arrived
	stuckAfter  = 400 * time.Millisecond // without a goroutine that runs, sleeps or waits for input
	longPause   = 200 * time.Microsecond
)

// monitor decides who runs, until the program ends.
func (s *scheduler) monitor() {
	started := time.Now()
	for {
		s.settle(started)
		if s.hasEnded() {
			return
		}
		next := s.pick()
		if next == nil {
			if reason := s.idle(started); reason != "" {
				s.giveUp(reason)
				return
			}
			continue
		}
		s.grant(next)
		if s.points++; s.points > s.script.limit {
			s.giveUp("points")
			return
		}
	}
}

// hasEnded tells whether main has returned: the program is about to exit.
func (s *scheduler) hasEnded() bool {
	return len(s.workers) > 0 && workerState(s.workers[0].state.Load()) == ended
}

// grant lets a worker go on.
func (s *scheduler) grant(w *worker) {
	s.holder = w
	w.state.Store(int32(running))
	w.wake <- struct{}{}
}

// settle returns when the holder has come to a point, has ended or is blocked, and everybody
// whom it woke has come to a point too.
func (s *scheduler) settle(started time.Time) {
	quiet := 0
	for {
		before, at := s.arrivals.Load(), time.Now()
		runtime.Gosched()
		switch {
		case s.arrivals.Load() != before:
			quiet = 0
		case time.Since(at) < quickYield:
			quiet++
		default:
			quiet = 0
		}
		if s.expected.Load() > 0 {
			continue
		}
		if s.holder == nil || workerState(s.holder.state.Load()) != running {
			if !s.anyBlocked() || quiet >= settleYield {
				return
			}
			continue
		}
		if quiet < idleYields {
			continue
		}
		if s.holder.at.mayBlock || s.isBlocked(s.holder) {
			s.holder.state.CompareAndSwap(int32(running), int32(blocked))
			return
		}
		if time.Since(started) > s.script.timeout {
			return
		}
		time.Sleep(20 * time.Microsecond) // it is in a system call
		quiet = 0
	}
}

// anyBlocked tells whether a worker waits in the runtime, and can be woken there.
func (s *scheduler) anyBlocked() bool {
	for _, w := range s.workers {
		if st := workerState(w.state.Load()); st == blocked || st == running {
			return true
		}
	}
	return false
}

// pick returns the worker that goes on, holding the lock that it is about to take, or nil
// if none can.
func (s *scheduler) pick() *worker {
	var enabled []*worker
	for _, w := range s.workers {
		if workerState(w.state.Load()) == parked && s.isEnabled(w) {
			enabled = append(enabled, w)
		}
	}
	if len(enabled) == 0 {
		return nil
	}
	w := s.policy.choose(enabled)
	if w.at.try != nil && !w.at.try() {
		return nil // somebody outside holds it: see idle
	}
	s.log.grant(w)
	s.policy.passes(w)
	return w
}

// isEnabled tells whether the worker would not wait for a lock.
func (s *scheduler) isEnabled(w *worker) bool {
	if w.at.try == nil {
		return true
	}
	if !w.at.try() {
		return false
	}
	w.at.undo()
	return true
}

// idle waits for something outside to let a worker go on. It returns a reason if that will
// not happen.
func (s *scheduler) idle(started time.Time) string {
	since, before := time.Now(), s.arrivals.Load()
	for s.arrivals.Load() == before {
		if time.Since(started) > s.script.timeout {
			return "timeout"
		}
		if len(s.workers) > 0 && time.Since(since) > stuckAfter && s.allStuck() {
			return "deadlock"
		}
		time.Sleep(longPause)
		if s.anyEnabled() {
			return ""
		}
	}
	return ""
}

// anyEnabled tells whether a worker could go on now.
func (s *scheduler) anyEnabled() bool {
	for _, w := range s.workers {
		if workerState(w.state.Load()) == parked && s.isEnabled(w) {
			return true
		}
	}
	return false
}

// giveUp ends a run that leads nowhere, after what has been recorded is written.
func (s *scheduler) giveUp(reason string) {
	s.finish(reason)
	steerExit()
	os.Exit(steerGivenUp)
}

// steerGivenUp is the exit status of a run that the monitor has ended.
const steerGivenUp = 117

// steerExit writes out what has been recorded. The recording half sets it.
var steerExit = func() {}

// finish writes the rest of the log.
func (s *scheduler) finish(reason string) {
	s.log.finish(reason)
}
