// Command account moves money around a ring of accounts. Transfer holds the locks
// of both accounts, which it takes in the order of their numbers, so that two
// transfers in opposite directions do not wait for each other for ever.
package main

import (
	"fmt"
	"sync"
)

// Account is a bank account.
type Account struct {
	number int

	mu     sync.Mutex
	amount int
}

// NewAccount opens an account.
func NewAccount(number, amount int) *Account {
	return &Account{number: number, amount: amount}
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
	first, second := a, to
	if to.number < a.number {
		first, second = to, a
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	a.amount -= n
	to.amount += n
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
		accounts[i] = NewAccount(i, 100)
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
		fmt.Println("account", a.number, a.Balance())
	}
}
