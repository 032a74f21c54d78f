// Command section_as_function runs critical sections as functions, through a helper that takes any lock.
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
	count, sum := 0, 0
	withLock(l.mu.RLocker(), func() { count = l.count })
	withLock(l.mu.RLocker(), func() { sum = l.sum })
	return sum / max(count, 1)
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
