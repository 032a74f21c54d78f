package hook

import "sync"

// wait is c.Wait: it gives the lock back, and returns with the lock taken, once another
// worker has signalled. The point is that of taking the lock again, so it is a decision who
// gets the lock first.
func (s *controller) wait(w *worker, p steerPoint, c *sync.Cond) {
	switch l := c.L.(type) {
	case *sync.Mutex:
		p.try = l.TryLock
	case *sync.RWMutex:
		p.try = l.TryLock
	default:
		c.Wait()
		return
	}
	w.at = p
	s.waiters[c] = append(s.waiters[c], w)
	w.state.Store(int32(waiting))
	c.L.Unlock()
	s.arrivals.Add(1)
	<-w.wake
}

// signal is c.Signal, or c.Broadcast.
func (s *controller) signal(c *sync.Cond, all bool) {
	queue := s.waiters[c]
	n := min(1, len(queue))
	if all {
		n = len(queue)
	}
	for _, w := range queue[:n] {
		w.state.Store(int32(parked))
	}
	if s.waiters[c] = queue[n:]; n == len(queue) {
		delete(s.waiters, c)
	}
	if all {
		c.Broadcast() // for those who wait on it outside of the module
	} else if n == 0 {
		c.Signal()
	}
}
