// Command counter_unguarded_fixed has counters that are accessed with one lock each.
package main

import "sync"

// Twice is counted up under one lock.
type Twice struct {
	in sync.Mutex
	n  int
}

// Enter counts under one lock.
func (t *Twice) Enter() {
	t.in.Lock()
	t.n++
	t.in.Unlock()
}

// Leave counts under the same one.
func (t *Twice) Leave() {
	t.in.Lock()
	t.n++
	t.in.Unlock()
}

// Reset is counted up with a lock.
type Reset struct {
	mu sync.Mutex
	n  int
}

// Add counts.
func (r *Reset) Add() {
	r.mu.Lock()
	r.n++
	r.mu.Unlock()
}

// Clear begins again.
func (r *Reset) Clear() {
	r.mu.Lock()
	r.n = 0
	r.mu.Unlock()
}

// Lent has a lock of its own.
type Lent struct {
	mu sync.Mutex
	n  int
}

// Add counts.
func (l *Lent) Add() {
	l.mu.Lock()
	l.n++
	l.mu.Unlock()
}

// AddTwo counts two.
func (l *Lent) AddTwo() {
	l.mu.Lock()
	l.n += 2
	l.mu.Unlock()
}

func main() {
	twice := &Twice{}
	reset := &Reset{}
	lent := &Lent{}
	var all sync.WaitGroup
	all.Go(twice.Enter)
	all.Go(reset.Add)
	all.Go(lent.Add)
	twice.Leave()
	reset.Clear()
	lent.AddTwo()
	all.Wait()
}
