// Command tally_before_total has a ledger with a tally that has a lock of its own. Who
// adds to the tally adds to the total in a second step.
package main

import "sync"

type tally struct {
	mu     sync.Mutex
	ledger *Ledger
	sum    int
}

// Add adds to the tally, and to the total of its ledger.
func (t *tally) Add(n int) {
	t.mu.Lock()
	t.sum += n
	t.mu.Unlock()
	t.ledger.add(n) // the tally was larger until here
}

// Ledger has a total, which is that of its tally.
type Ledger struct {
	mu    sync.Mutex
	tally *tally
	total int
}

func (l *Ledger) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total += n
}

// Balanced tells whether the total is right.
func (l *Ledger) Balanced() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tally.mu.Lock()
	defer l.tally.mu.Unlock()
	sum := l.tally.sum
	return sum == l.total
}

func newLedger() *Ledger {
	l := &Ledger{tally: &tally{}}
	l.tally.ledger = l
	return l
}

func main() {
	l := newLedger()
	t := l.tally
	var wg sync.WaitGroup
	wg.Go(func() { t.Add(1) })
	println(l.Balanced())
	wg.Wait()
}
