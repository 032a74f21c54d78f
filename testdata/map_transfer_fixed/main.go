// Command map_transfer_fixed moves money from one account to another, in two critical sections. Nobody
// looks at both accounts at once.
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

// Saved returns what is on one account.
func (b *Bank) Saved() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.balances["savings"]
}

func main() {
	b := &Bank{balances: map[string]int{"current": 10}}
	var wg sync.WaitGroup
	wg.Go(func() { b.Save(3) })
	wg.Go(func() {
		if n := b.Saved(); n != 0 && n != 3 {
			panic(fmt.Sprint("there is ", n))
		}
	})
	wg.Wait()
}
