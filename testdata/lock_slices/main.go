// Command lock_slices keeps the money of accounts in slices, with a slice of locks beside. A
// deposit takes the lock of the customer before.
package main

import (
	"fmt"
	"sync"
)

// Bank is accounts, by numbers.
type Bank struct {
	locks   []sync.RWMutex
	balance []int
	moves   []int
}

// New returns a bank with accounts.
func New(accounts int) *Bank {
	return &Bank{
		locks:   make([]sync.RWMutex, accounts),
		balance: make([]int, accounts),
		moves:   make([]int, accounts),
	}
}

// account finds the account of a customer.
func (b *Bank) account(customer int) int { return customer % len(b.locks) }

// Deposit adds to an account.
func (b *Bank) Deposit(customer, amount int) {
	i := b.account(customer)
	before := b.account(customer + 7)
	b.locks[before].Lock()
	b.add(i, amount)
	b.locks[before].Unlock()
}

// add adds to an account whose lock is held.
func (b *Bank) add(i, amount int) {
	b.balance[i] += amount
	b.moves[i]++
}

// Transfer moves money while both accounts are locked.
func (b *Bank) Transfer(from, to, amount int) {
	i, j := min(b.account(from), b.account(to)), max(b.account(from), b.account(to))
	if i == j {
		return
	}
	b.locks[i].Lock()
	defer b.locks[i].Unlock()
	b.locks[j].Lock()
	defer b.locks[j].Unlock()
	b.add(i, -amount)
	b.add(j, amount)
}

// Look returns what is on an account, and how often it has changed.
func (b *Bank) Look(customer int) (balance, moves int) {
	i := b.account(customer)
	b.locks[i].RLock()
	defer b.locks[i].RUnlock()
	return b.balance[i], b.moves[i]
}

func main() {
	b := New(8)
	var wg sync.WaitGroup
	for customer := range 20 {
		wg.Go(func() {
			b.Deposit(customer, 100)
			b.Transfer(customer, customer+1, 10)
			fmt.Println(b.Look(customer))
		})
	}
	wg.Wait()
}
