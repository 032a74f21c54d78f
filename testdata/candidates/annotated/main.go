// Command annotated knows better than its lock which fields belong together.
package main

import "sync"

// Account has a lock for everything.
type Account struct {
	mu      sync.Mutex
	balance int //empire:atomic money
	//empire:atomic money
	reserved int
	// Currency is never changed, and yet of the set.
	currency string //empire:atomic money
	visits   int
}

func (a *Account) take(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance -= n
	a.reserved += n
	a.visits++
}

func main() {
	a := &Account{balance: 10, currency: "EUR"}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { a.take(1) })
	}
	wg.Wait()
	println(a.balance, a.currency)
}
