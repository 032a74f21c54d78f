// Command struct_in_map keeps structs as values of a map, which are changed by copies.
package main

import "sync"

type account struct{ balance, changes int }

// Bank is accounts by name.
type Bank struct {
	mu       sync.Mutex
	accounts map[string]account
}

func (b *Bank) Deposit(name string, amount int) {
	b.mu.Lock()
	a := b.accounts[name] // a copy
	b.mu.Unlock()
	a.balance += amount
	a.changes++
	b.mu.Lock()
	b.accounts[name] = a // what others deposited is lost
	b.mu.Unlock()
}

func main() {
	bank := &Bank{accounts: map[string]account{}}
	var wg sync.WaitGroup
	wg.Go(func() { bank.Deposit("ann", 10) })
	wg.Go(func() { bank.Deposit("ann", 20) })
	wg.Wait()
	println(bank.accounts["ann"].balance)
}
