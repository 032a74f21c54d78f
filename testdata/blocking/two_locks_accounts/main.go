// Program two_locks_accounts: Two accounts are locked in the order in which money flows.
package main

import (
	"fmt"
	"sync"
)

type account struct {
	id      int
	mu      sync.Mutex
	balance int
}

func transfer(from, to *account, amount int) {
	first, second := from, to
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock() // want deadlock
	defer second.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

func main() {
	a, b := &account{id: 1, balance: 100}, &account{id: 2, balance: 100}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		transfer(a, b, 10)
	}()
	go func() {
		defer wg.Done()
		transfer(b, a, 20)
	}()
	wg.Wait()
	fmt.Println(a.balance + b.balance)
}
