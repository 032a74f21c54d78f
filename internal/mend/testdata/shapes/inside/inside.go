// Package inside calls a method that takes the lock, and goes on by what it returned.
package inside

import "sync"

// Account has money.
type Account struct {
	mu      sync.Mutex
	balance int
	moved   int
}

// Balance returns what is there.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
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
	n := a.Balance()
	a.mu.Lock()
	a.balance = 2 * n
	a.moved++
	a.mu.Unlock()
}
