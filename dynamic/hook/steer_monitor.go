package hook

import (
	"os"
	"runtime"
	"slices"
	"time"
)

// Bounds of the monitor.
const (
	quickYield   = 300 * time.Microsecond // a yield that takes longer let somebody run for long
	idleYields   = 3                      // quick yields without an arrival after which the holder is looked at
	settleYields = 2                      // the same, when the holder has arrived
	stuckAfter   = 400 * time.Millisecond // without a goroutine that runs, sleeps or waits for input
	exitTime     = 100 * time.Millisecond
	longPause    = 200 * time.Microsecond
)

// monitor decides who runs, until the program ends.
func (s *controller) monitor() {
	s.gid = currentGoroutine()
	s.started = time.Now()
	for {
		s.settle()
		if s.hasEnded() {
			return
		}
		next := s.pick()
		if next == nil {
			if reason := s.idle(); reason != "" {
				s.giveUp(reason)
				return
			}
			continue
		}
		s.grant(next)
		if s.log.points > s.script.limit || s.log.points%breath == 0 && s.isLate(time.Now()) {
			s.giveUp("points")
			return
		}
	}
}

// isLate tells whether the time of the run is over, for somebody who waits since a time. A
// run that is repeated ends when the first one did, and takes longer on a machine that is
// busy with much else: there only the wait counts.
func (s *controller) isLate(since time.Time) bool {
	if s.script.mode != replayMode {
		since = s.started
	}
	return time.Since(since) > s.script.timeout
}

// hasEnded tells whether everybody has ended. When main has, the program is about to exit,
// and nothing more is to happen; unless main has left by runtime.Goexit.
func (s *controller) hasEnded() bool {
	if !s.mainLeft && slices.ContainsFunc(s.workers, func(w *worker) bool {
		return w.gid == mainGoroutine && w.is(ended)
	}) {
		s.mainLeft = true
		time.Sleep(exitTime)
	}
	return s.mainLeft && !slices.ContainsFunc(s.workers, func(w *worker) bool { return !w.is(ended) })
}

var noTime time.Time

// grant lets a worker go on.
func (s *controller) grant(w *worker) {
	s.holder, s.idleSince = w, noTime
	w.state.Store(int32(running))
	w.wake <- struct{}{}
}

// settle returns when everybody has come to a point, has ended or is blocked.
func (s *controller) settle() {
	quiet, begin := 0, time.Now()
	for {
		before, at := s.arrivals.Load(), time.Now()
		runtime.Gosched()
		if s.arrivals.Load() == before && time.Since(at) < quickYield {
			quiet++
		} else {
			quiet = 0
		}
		switch {
		case s.expected.Load() > 0:
		case !s.any(running):
			if quiet >= settleYields || !s.any(blocked) {
				return
			}
		case quiet < idleYields:
		case s.block():
			quiet = 0
		case s.isLate(begin):
			return
		default:
			time.Sleep(20 * time.Microsecond) // somebody is in a system call
			quiet = 0
		}
	}
}

// block finds out which of those that run are blocked. It tells whether there are any.
func (s *controller) block() bool {
	found := false
	var all map[uint64]string
	for _, w := range s.workers {
		if !w.is(running) {
			continue
		}
		if !w.at.mayBlock {
			if all == nil {
				all = statuses()
			}
			if !isBlocked(all, w) {
				continue
			}
		}
		found = w.state.CompareAndSwap(int32(running), int32(blocked)) || found
	}
	return found
}

// any tells whether there is a worker in a state.
func (s *controller) any(state workerState) bool {
	return slices.ContainsFunc(s.workers, func(w *worker) bool { return w.is(state) })
}

// pick returns the worker that goes on, now that everybody has come to rest.
func (s *controller) pick() *worker {
	s.settled = s.settled[:0]
	for _, w := range s.workers {
		if w.isSettled = w.is(parked); w.isSettled {
			s.settled = append(s.settled, w)
		}
	}
	return s.elect()
}

// elect returns the one of those who are parked that goes on, holding the lock that it is
// about to take, or nil if none can.
func (s *controller) elect() *worker {
	ready := append(s.ready[:0], s.settled...)
	s.ready = ready
	exit := s.exiting(ready)
	if exit != nil {
		ready = slices.DeleteFunc(ready, func(w *worker) bool { return w == exit })
	}
	for len(ready) > 0 {
		w := s.policy.choose(ready)
		if w == nil {
			return nil
		}
		if w.at.try == nil || w.at.try() {
			return s.passing(w)
		}
		i := slices.Index(ready, w)
		ready = slices.Delete(ready, i, i+1)
	}
	if exit != nil && !s.mayWake() {
		return s.passing(exit)
	}
	return nil
}

// passing notes that a worker goes on from its point.
func (s *controller) passing(w *worker) *worker {
	s.log.grant(w)
	s.policy.passes(w)
	return w
}

// Main waits for others at its end, in a run that has not come to the end of its script: so
// many points, and so long for those who are blocked.
const (
	exitPoints = 20_000
	exitWait   = 60 * time.Millisecond
)

// exiting returns main if it is at its end and waits there for others.
func (s *controller) exiting(ready []*worker) *worker {
	i := slices.IndexFunc(ready, func(w *worker) bool { return w.at.op == exitPoint })
	if i < 0 || s.policy.isDone() {
		return nil
	}
	if s.exitAt == 0 {
		s.exitAt = s.log.points + exitPoints
	}
	if s.log.points > s.exitAt {
		return nil
	}
	return ready[i]
}

// Patience, in a run, for those whom nobody has announced: they may come any time.
const (
	patience   = 10 * time.Millisecond
	maxPatient = 8   // times
	lonely     = 100 // points for which it holds that nobody will come
)

// isPatient tells whether it is worth to wait for somebody else than those who can go on.
func (s *controller) isPatient() bool {
	if s.patient >= maxPatient || !slices.ContainsFunc(s.workers, func(w *worker) bool {
		return !w.announced && w.gid != mainGoroutine
	}) {
		return false
	}
	if s.log.points < s.lonelyAt {
		return false
	}
	if !s.mayCome() {
		s.lonelyAt = s.log.points + lonely
		return false
	}
	if !s.idleSince.IsZero() && time.Since(s.idleSince) > patience {
		s.patient++
		return false
	}
	return true
}

// mayWake tells whether somebody is blocked, and it is worth to wait for what wakes him.
func (s *controller) mayWake() bool {
	return s.any(blocked) && (s.idleSince.IsZero() || time.Since(s.idleSince) < exitWait)
}

// idle waits for something outside to let a worker go on. It returns a reason if that will
// not happen.
func (s *controller) idle() string {
	before := s.arrivals.Load()
	if s.idleSince.IsZero() {
		s.idleSince = time.Now()
	}
	for s.arrivals.Load() == before {
		if s.isLate(s.idleSince) {
			return "timeout"
		}
		if len(s.workers) > 0 && time.Since(s.idleSince) > stuckAfter && s.allStuck() {
			return "deadlock"
		}
		time.Sleep(longPause)
		if s.any(parked) {
			return "" // somebody outside may have given back the lock, or it is main that waits
		}
	}
	return ""
}

// giveUp ends a run that leads nowhere.
func (s *controller) giveUp(reason string) {
	s.finish(reason)
	os.Exit(steerGivenUp)
}

// steerGivenUp is the exit status of a run that the monitor has ended.
const steerGivenUp = 117

// finish writes the rest of the log.
func (s *controller) finish(reason string) {
	if s.over.CompareAndSwap(false, true) {
		if f, ok := s.policy.(*follow); ok {
			s.log.seen(f.seen)
		}
		s.log.finish(reason)
	}
}
