// Command tally_before_total_fixed has a ledger with a tally that has a lock of its own. Who
// adds to the tally holds the lock of the ledger and adds to the total, too.
package main

import "sync"

type tally struct {
	mu     sync.Mutex
	ledger *Ledger
	sum    int
}

// Add adds to the tally, and to the total of its ledger.
func (t *tally) Add(n int) {
	t.ledger.mu.Lock()
	defer t.ledger.mu.Unlock()
	t.mu.Lock()
	t.sum += n
	t.mu.Unlock()
	t.ledger.add(n)
}

// Ledger has a total, which is that of its tally.
type Ledger struct {
	mu    sync.Mutex
	tally *tally
	total int
}

// add adds to the total, with the lock held.
func (l *Ledger) add(n int) {
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
