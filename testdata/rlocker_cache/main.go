// Command rlocker_cache looks a rate up through a Locker for readers. The update takes
// that Locker too, which excludes no reader.
package main

import (
	"fmt"
	"sync"
)

// Rates is a rate and the day that it is of.
type Rates struct {
	mu   sync.RWMutex
	rate int
	day  int
}

func with(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

// Update sets the rate.
func (r *Rates) Update(rate, day int) {
	with(r.mu.RLocker(), func() { // for readers only
		r.rate = rate
		r.day = day
	})
}

// Rate returns the rate.
func (r *Rates) Rate() (rate, day int) {
	with(r.mu.RLocker(), func() {
		rate = r.rate
		day = r.day
	})
	return rate, day
}

func main() {
	r := &Rates{}
	var wg sync.WaitGroup
	wg.Go(func() { r.Update(3, 1) })
	wg.Go(func() { fmt.Println(r.Rate()) })
	wg.Wait()
}
