// Program blocking_ab_ba moves money between two accounts, in both directions at the same time.
package main

import (
	"fmt"
	"sync"
)

type account struct {
	mu      sync.Mutex
	balance int
}

// transfer locks the account that money is taken from first.
func transfer(from, to *account, amount int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

func main() {
	a, b := &account{balance: 100}, &account{balance: 100}
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
