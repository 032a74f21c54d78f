// Command section_as_function_fixed runs critical sections as functions, through a helper that takes any lock.
package main

import (
	"fmt"
	"sync"
)

// withLock runs the section with the lock held.
func withLock(l sync.Locker, section func()) {
	l.Lock()
	defer l.Unlock()
	section()
}

// Ledger is the sum of the entries, and how many there are.
type Ledger struct {
	mu    sync.RWMutex
	sum   int
	count int
}

// Add adds an entry.
func (l *Ledger) Add(v int) {
	withLock(&l.mu, func() {
		l.sum += v
		l.count++
	})
}

// Mean returns the mean of the entries.
func (l *Ledger) Mean() int {
	mean := 0
	withLock(l.mu.RLocker(), func() {
		if l.count > 0 {
			mean = l.sum / l.count
		}
	})
	return mean
}

func main() {
	ledgers := []*Ledger{{}, {}}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { ledgers[i%2].Add(i) })
		wg.Go(func() { fmt.Println(ledgers[i%2].Mean()) })
	}
	wg.Wait()
}
