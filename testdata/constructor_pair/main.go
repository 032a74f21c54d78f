// Command constructor_pair opens two accounts and moves money between them.
// main sets one of them up at the same time, without its lock.
package main

import "sync"

// Account has a balance and a limit.
type Account struct {
	mu      sync.Mutex
	balance int
	limit   int
}

func newAccount() *Account { return &Account{} }

// NewPair returns two accounts.
func NewPair() (*Account, *Account) {
	return newAccount(), newAccount()
}

// move moves one from an account to another one.
func move(from, to *Account) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance--
	to.balance++
}

func main() {
	savings, current := NewPair()

	var wg sync.WaitGroup
	wg.Go(func() { move(savings, current) })
	savings.balance = 5 // move has the account by now
	savings.limit = 5
	println(savings.balance)
	wg.Wait()
}
