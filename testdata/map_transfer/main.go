// Command map_transfer moves money from one account to another, in two critical sections: who adds
// up the accounts in between finds that some is missing.
package main

import (
	"fmt"
	"sync"
)

// Bank is balances by account.
type Bank struct {
	mu       sync.Mutex
	balances map[string]int
}

func (b *Bank) add(account string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.balances[account] += n
}

// Save moves money.
func (b *Bank) Save(n int) {
	b.add("current", -n)
	b.add("savings", n)
}

// Sum adds up the accounts.
func (b *Bank) Sum() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.balances["current"] + b.balances["savings"]
}

func main() {
	b := &Bank{balances: map[string]int{"current": 10}}
	var wg sync.WaitGroup
	wg.Go(func() { b.Save(3) })
	wg.Go(func() {
		if n := b.Sum(); n != 10 {
			panic(fmt.Sprint("there is ", n))
		}
	})
	wg.Wait()
}
