package hook

import "github.com/empire-go/empire-go/dynamic/trace"

// Most points need no monitor. If all that a goroutine has done since its last point is to
// read, write, or take or give back a lock, then nobody else has moved, and those who were
// parked are all that can be chosen from: the goroutine chooses itself, and lets the other one
// go on, or goes on. From time to time the monitor looks for what comes from outside.

// breath is how many points there may be until then.
const breath = 256

// isQuiet tells whether an operation lets nobody go on who waits in the runtime.
func isQuiet(op uint8) bool {
	switch trace.Op(op) {
	case trace.Read, trace.Write, trace.RMW, trace.AtomicRead, trace.AtomicWrite,
		trace.Lock, trace.Unlock, trace.RLock, trace.RUnlock, trace.TryLockFailed:
		return true
	}
	return op == startPoint || op == pausePoint || op == afterPoint
}

// decide lets the next worker go on from its point, and returns when it is w's turn. It is
// called by w, which has come to a point, and returns false if the monitor has to decide.
func (s *controller) decide(w *worker) bool {
	if w != s.holder || !w.isSettled || s.expected.Load() > 0 || s.log.points%breath == 0 ||
		s.log.points >= s.script.limit {
		return false
	}
	s.arrivals.Add(1)
	s.expected.Add(1) // the monitor waits
	w.state.Store(int32(parked))
	next := s.elect()
	if next == nil {
		s.expected.Add(-1)
		return false
	}
	s.holder, s.idleSince = next, noTime
	next.state.Store(int32(running))
	s.expected.Add(-1)
	if next != w {
		next.wake <- struct{}{}
		<-w.wake
		s.pin()
	}
	return true
}
