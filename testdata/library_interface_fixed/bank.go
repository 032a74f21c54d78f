// Package bank is a library whose type with the lock is behind an interface.
package bank

import "sync"

// Account is what clients see of an account.
type Account interface {
	Deposit(amount int)
	Balance() (amount, deposits int)
}

// Bank has an account for all.
type Bank struct{ account Account }

// New returns a bank.
func New() *Bank { return &Bank{account: new(account)} }

// Pay deposits an amount.
func (b *Bank) Pay(amount int) { b.account.Deposit(amount) }

// Report returns the balance.
func (b *Bank) Report() (amount, deposits int) { return b.account.Balance() }

type account struct {
	mu       sync.Mutex
	amount   int
	deposits int
}

func (a *account) Deposit(amount int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.amount += amount
	a.deposits++
}

func (a *account) Balance() (amount, deposits int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.amount, a.deposits
}
