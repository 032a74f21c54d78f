// Command with_read_locker_fixed is a ledger whose critical sections are calls of a
// helper, which takes any Locker.
package main

import "sync"

// Ledger is an amount of money.
type Ledger struct {
	mu      sync.RWMutex
	balance int
}

// withLock calls f with l held.
func withLock(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

// Post adds an amount.
func (l *Ledger) Post(amount int) {
	withLock(&l.mu, func() {
		balance := l.balance
		balance += amount - fee(balance)
		l.balance = balance
	})
}

// Balance returns the amount.
func (l *Ledger) Balance() (balance int) {
	withLock(l.mu.RLocker(), func() {
		balance = l.balance
	})
	return balance
}

// fee is what rich clients pay for each transaction.
func fee(balance int) int {
	if balance > 100 {
		return 1
	}
	return 0
}

func main() {
	ledger := &Ledger{balance: 99}
	var wg sync.WaitGroup
	wg.Add(2)
	for _, amount := range []int{5, 7} {
		go func() {
			defer wg.Done()
			ledger.Post(amount)
		}()
	}
	if ledger.Balance() < 99 {
		panic("lost")
	}
	wg.Wait()
}
