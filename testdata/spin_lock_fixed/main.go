// Command spin_lock_fixed keeps samples with their sum, behind a lock of its own.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// SpinLock is a lock for short sections.
type SpinLock struct{ held atomic.Bool }

// Lock waits until nobody has the lock.
func (l *SpinLock) Lock() {
	for !l.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

// Unlock lets others have the lock.
func (l *SpinLock) Unlock() { l.held.Store(false) }

// Samples is numbers and their sum.
type Samples struct {
	lock   SpinLock
	values []int
	sum    int
}

// Add adds a number.
func (s *Samples) Add(n int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.values = append(s.values, n)
	s.sum += n
}

// Mean returns the mean of the numbers.
func (s *Samples) Mean() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	n := len(s.values)
	if n == 0 {
		return 0
	}
	return s.sum / n
}

func main() {
	s := &Samples{}
	var wg sync.WaitGroup
	wg.Go(func() { s.Add(2) })
	wg.Go(func() { s.Add(4) })
	wg.Go(func() { fmt.Println(s.Mean()) })
	wg.Wait()
}
