package hook

import "slices"

// Goroutines that nobody has announced are those that libraries start: they say nothing when they
// end. So from time to time, when there are twice as many of them as were alive the last time,
// the runtime is asked who still is.

// strays is the goroutines that nobody has announced and that have not ended, as far as is known.
type strays struct {
	spin
	all   []*Goroutine
	limit int // when to ask
}

// minStrays is how many there are at least when the runtime is asked.
const minStrays = 64

var unannounced = strays{limit: minStrays}

// add adds a goroutine, and ends those that are no more.
func (s *strays) add(g *Goroutine) {
	s.lock()
	s.all = append(s.all, g)
	var asked []*Goroutine
	if len(s.all) >= s.limit {
		asked, s.all = s.all, nil
	}
	s.unlock()
	if asked == nil {
		return
	}
	live := liveGoroutines()
	for _, other := range asked {
		if _, isAlive := slices.BinarySearch(live, other.id); isAlive {
			s.lock()
			s.all = append(s.all, other)
			s.unlock()
		} else if live != nil {
			other.End()
		}
	}
	s.lock()
	s.limit = max(minStrays, 2*len(s.all))
	s.unlock()
}

// liveGoroutines returns the runtime's numbers of all goroutines, in order; nil if it does not say.
func liveGoroutines() []uint64 {
	ids := make([]uint64, 1024)
	for {
		n := platformGoroutines(ids)
		if n < 0 {
			return nil
		}
		if n <= len(ids) {
			ids = ids[:n]
			slices.Sort(ids)
			return ids
		}
		ids = make([]uint64, 2*n)
	}
}
