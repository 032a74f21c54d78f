// Command rates_cloned replaces the rates of a limiter. Readers look at them without
// a lock, as they are not changed once they are there.
package main

import "sync"

// Rates are not changed once others can see them.
type Rates struct {
	limit int
	burst int
}

// clone returns a copy.
func (r *Rates) clone() *Rates {
	c := *r
	return &c
}

// Limiter has the rates of now.
type Limiter struct {
	mu    sync.Mutex
	rates *Rates
}

// NewLimiter returns a limiter.
func NewLimiter() *Limiter {
	return &Limiter{rates: &Rates{limit: 10, burst: 20}}
}

// current returns the rates of now.
func (l *Limiter) current() *Rates {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rates
}

// Double doubles the rates.
func (l *Limiter) Double() {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.rates // BUG: not a clone
	next.limit *= 2
	next.burst *= 2
	l.rates = next
}

// Allow reports whether so many requests are too many.
func (l *Limiter) Allow(requests int) bool {
	rates := l.current()
	limit := rates.limit
	burst := rates.burst
	if limit*2 != burst {
		panic("half doubled")
	}
	return requests <= burst
}

func main() {
	limiter := NewLimiter()
	doubled := make(chan struct{})
	go func() {
		limiter.Double()
		close(doubled)
	}()
	if !limiter.Allow(1) {
		panic("not even one")
	}
	<-doubled
}
