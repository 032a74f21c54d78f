// Command account moves money around a ring of accounts. Every method holds the
// lock of its own account, but Transfer also changes the balance of the other
// account, whose lock it does not hold: a deposit there can get lost.
package main

import (
	"fmt"
	"sync"
)

// Account is a bank account.
type Account struct {
	name string

	mu     sync.Mutex
	amount int
}

// NewAccount opens an account.
func NewAccount(name string, amount int) *Account {
	return &Account{name: name, amount: amount}
}

// Deposit pays n in.
func (a *Account) Deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.amount += n
}

// Withdraw pays n out.
func (a *Account) Withdraw(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.amount -= n
}

// Transfer moves n to another account.
func (a *Account) Transfer(to *Account, n int) {
	if to == a {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.amount -= n
	to.amount += n // under the lock of a, not of to
}

// Balance returns what is on the account.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.amount
}

func main() {
	accounts := make([]*Account, 2)
	for i := range accounts {
		accounts[i] = NewAccount(fmt.Sprint("account ", i), 100)
	}

	var wg sync.WaitGroup
	for i, a := range accounts {
		next := accounts[(i+1)%len(accounts)]
		wg.Add(1)
		go func() {
			defer wg.Done()
			a.Deposit(300)
			a.Withdraw(100)
			a.Transfer(next, 99)
		}()
	}
	wg.Wait()

	for _, a := range accounts {
		fmt.Println(a.name, a.Balance()) // 300 each, if nothing is lost
	}
}
