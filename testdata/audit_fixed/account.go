package main

import "sync"

// Account is a bank account. Where two accounts are locked, the one that pays
// is locked first.
type Account struct {
	mu      sync.Mutex
	balance int
}

// Pay moves an amount from the account to another one.
func (a *Account) Pay(other *Account, amount int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	other.mu.Lock()
	defer other.mu.Unlock()
	a.balance -= amount
	other.balance += amount
}

// Balance returns the balance.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

// Total returns what the account and another one hold together. It locks both,
// so nothing is paid in between.
func (a *Account) Total(other *Account) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	other.mu.Lock()
	defer other.mu.Unlock()
	return a.balance + other.balance
}
