// Command seats_swap_failed_fixed books seats in a theatre with compare-and-swap.
package main

import (
	"sync"
	"sync/atomic"
)

// Theatre knows how many of its seats are taken.
type Theatre struct {
	seats int64
	taken atomic.Int64
}

// Book takes n seats next to each other.
func (t *Theatre) Book(n int64) bool {
	for {
		taken := t.taken.Load()
		if taken+n > t.seats {
			return false
		}
		if t.taken.CompareAndSwap(taken, taken+n) {
			return true
		}
	}
}

// Full reports whether all seats are taken.
func (t *Theatre) Full() bool {
	return t.taken.Load() >= t.seats
}

func main() {
	theatre := &Theatre{seats: 3}
	booked := make([]bool, 4)
	var wg sync.WaitGroup
	for i := range booked {
		wg.Add(1)
		go func() {
			defer wg.Done()
			booked[i] = theatre.Book(1)
		}()
	}
	wg.Wait()
	if theatre.Full() && !booked[0] && !booked[1] && !booked[2] && !booked[3] {
		panic("nobody has booked")
	}
}
