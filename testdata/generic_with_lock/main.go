// Command generic_with_lock sets a range through a generic helper that runs a function with
// a lock held.
package main

import "sync"

type Range struct {
	mu        sync.RWMutex
	low, high int
}

// with runs f with the lock held.
func with[L interface {
	comparable
	Lock()
	Unlock()
}](lock L, f func()) {
	lock.Lock()
	defer lock.Unlock()
	f()
}

func (r *Range) Set(low, high int) {
	with(&r.mu, func() { r.low = low })
	with(&r.mu, func() { r.high = high }) // a second critical section
}

func (r *Range) Get() (int, int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	low := r.low
	high := r.high
	return low, high
}

func main() {
	r := &Range{}
	var wg sync.WaitGroup
	wg.Go(func() { r.Set(3, 5) })
	wg.Go(func() { println(r.Get()) })
	wg.Wait()
}
