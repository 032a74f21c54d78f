package main

import "sync"

// Account is a bank account.
type Account struct {
	mu      sync.Mutex
	id      int
	balance int
}

// NewAccount opens an account.
func NewAccount(id, balance int) *Account {
	return &Account{id: id, balance: balance}
}

// Transfer moves an amount from the account to another one. It locks both, the
// one with the lower id first, so that two transfers never wait for each other.
func (a *Account) Transfer(other *Account, amount int) {
	first, second := a, other
	if second.id < first.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	a.balance -= amount
	other.balance += amount
}

// Balance returns the balance.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}
