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

// Transfer moves an amount from the account to another one. It locks only its
// own account, so nobody keeps others away from the balance of the other one.
func (a *Account) Transfer(other *Account, amount int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance -= amount
	other.balance += amount // other.mu is missing
}

// Balance returns the balance.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}
