// Command counter_unguarded has counters that are not indivisible, though each is counted up with a
// lock held.
package main

import "sync"

// Twice is counted up under two locks.
type Twice struct {
	in, out sync.Mutex
	n       int
}

// Enter counts under one lock.
func (t *Twice) Enter() {
	t.in.Lock()
	t.n++
	t.in.Unlock()
}

// Leave counts under the other one.
func (t *Twice) Leave() {
	t.out.Lock()
	t.n++
	t.out.Unlock()
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
	r.n = 0 // without the lock
}

// Lent has a lock that somebody else gives back.
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
	go l.mu.Unlock()
	l.n += 2 // the lock may be free by now
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
