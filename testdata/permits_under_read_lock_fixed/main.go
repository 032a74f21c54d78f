// Command permits_under_read_lock_fixed hands out permits. Who waits for one waits
// with a condition that somebody else has made.
package main

import "sync"

// Permits is a number of permits.
type Permits struct {
	mu    sync.RWMutex
	given *sync.Cond
	left  int
}

// condition returns a condition for a lock.
func condition(mu *sync.RWMutex) *sync.Cond {
	return sync.NewCond(mu)
}

// NewPermits returns n permits.
func NewPermits(n int) *Permits {
	p := &Permits{left: n}
	p.given = condition(&p.mu)
	return p
}

// Take takes a permit when there is one.
func (p *Permits) Take() {
	p.given.L.Lock()
	defer p.given.L.Unlock()
	for p.left == 0 {
		p.given.Wait()
	}
	p.left--
}

// Give gives a permit.
func (p *Permits) Give() {
	p.mu.Lock()
	p.left++
	p.mu.Unlock()
	p.given.Broadcast()
}

// None reports whether there is no permit.
func (p *Permits) None() bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.left == 0
}

func main() {
	permits := NewPermits(2)
	var wg sync.WaitGroup
	wg.Go(permits.Take)
	wg.Go(permits.Take)
	wg.Go(permits.Give)
	wg.Wait()
	if permits.None() {
		panic("one too many was taken")
	}
}
