// Program two_locks_accounts_fixed: the mended two_locks_accounts.
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
	if second.id < first.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
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
