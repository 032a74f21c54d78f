// Package inside_goroutine calls a method that takes the lock on another goroutine.
package inside_goroutine

import "sync"

// Account has money.
type Account struct {
	mu      sync.Mutex
	balance int
	moved   int
}

// Deposit adds.
func (a *Account) Deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
	a.moved++
}

// Double adds as much as there is.
func (a *Account) Double() {
	a.mu.Lock()
	n := a.balance
	a.mu.Unlock()
	go a.Deposit(1)
	a.mu.Lock()
	a.balance = 2 * n
	a.moved++
	a.mu.Unlock()
}
