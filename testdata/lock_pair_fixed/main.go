// Command lock_pair_fixed: a transfer takes the locks of two accounts in the order of their numbers, and gets a function that
// releases them. It does so at its end.
package main

import (
	"fmt"
	"sync"
)

type account struct {
	number  int
	mu      sync.Mutex
	balance int
	moves   int
}

func (a *account) report() (balance, moves int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance, a.moves
}

// lockBoth locks two accounts and returns what unlocks them.
func lockBoth(a, b *account) (unlock func()) {
	if b.number < a.number {
		a, b = b, a
	}
	a.mu.Lock()
	b.mu.Lock()
	return func() {
		b.mu.Unlock()
		a.mu.Unlock()
	}
}

func transfer(from, to *account, amount int) {
	defer lockBoth(from, to)()
	from.balance -= amount
	to.balance += amount
	from.moves++
	to.moves++
}

func main() {
	var accounts []*account
	for i := range 3 {
		accounts = append(accounts, &account{number: i, balance: 10})
	}
	var all sync.WaitGroup
	for i, a := range accounts {
		all.Add(1)
		go func() {
			defer all.Done()
			transfer(a, accounts[(i+1)%3], 3)
		}()
	}
	fmt.Println(accounts[1].report())
	all.Wait()
}
