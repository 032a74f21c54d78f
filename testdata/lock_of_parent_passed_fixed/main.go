// Command lock_of_parent_passed_fixed has accounts, which are guarded by the lock of the bank that makes them.
package main

import (
	"fmt"
	"sync"
)

// owner has the lock of what it owns.
type owner interface {
	lock()
	unlock()
}

// Bank owns accounts.
type Bank struct {
	mu       sync.Mutex
	accounts map[string]*Account
}

func (b *Bank) lock()   { b.mu.Lock() }
func (b *Bank) unlock() { b.mu.Unlock() }

// Account is what is on it, and how much of that is held back.
type Account struct {
	of            owner
	balance, held int
}

func newAccount(of owner, balance int) *Account {
	return &Account{of: of, balance: balance}
}

// Open opens an account.
func (b *Bank) Open(name string, balance int) *Account {
	a := newAccount(b, balance)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.accounts[name] = a
	return a
}

// Hold holds back an amount, if it is there.
func (a *Account) Hold(amount int) bool {
	a.of.lock()
	defer a.of.unlock()
	if a.held+amount > a.balance {
		return false
	}
	a.held += amount
	return true
}

// Pay pays what was held back.
func (a *Account) Pay(amount int) {
	a.of.lock()
	a.held -= amount
	a.balance -= amount
	a.of.unlock()
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		b := &Bank{accounts: map[string]*Account{}}
		for _, name := range []string{"x", "y"} {
			a := b.Open(name, 10)
			for i := range 3 {
				wg.Go(func() {
					if a.Hold(i) {
						a.Pay(i)
					}
				})
			}
		}
	}
	wg.Wait()
	fmt.Println("done")
}
