// Command moved_between_accounts has a bank with accounts that have locks of their own.
// Moving money takes two steps, and a sum can see it half done.
package main

import "sync"

type account struct {
	mu      sync.Mutex
	balance int
}

// Bank knows accounts by name.
type Bank struct {
	mu       sync.Mutex
	accounts map[string]*account
}

func (b *Bank) get(name string) *account {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.accounts[name]
}

func (b *Bank) open(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.accounts[name] = &account{}
}

// Sum returns all money that there is.
func (b *Bank) Sum() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum := 0
	for _, a := range b.accounts {
		a.mu.Lock()
		sum += a.balance
		a.mu.Unlock()
	}
	return sum
}

func transfer(b *Bank, from, to *account, n int) {
	from.mu.Lock()
	from.balance -= n
	from.mu.Unlock()
	to.mu.Lock()
	to.balance += n // the sum was too small until here
	to.mu.Unlock()
}

func main() {
	b := &Bank{accounts: map[string]*account{}}
	b.open("ann")
	b.open("bob")
	var wg sync.WaitGroup
	wg.Go(func() { transfer(b, b.get("ann"), b.get("bob"), 1) })
	println(b.Sum())
	wg.Wait()
}
