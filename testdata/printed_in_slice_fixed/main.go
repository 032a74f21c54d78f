// Command printed_in_slice_fixed prints the accounts of a bank while another goroutine
// transfers money. fmt calls the String method of each account in the slice, and that
// reads the balances under the lock.
package main

import (
	"fmt"
	"sync"
)

// Account has two balances, which make 100.
type Account struct {
	mu       sync.Mutex
	checking int
	saving   int
}

// Transfer puts money aside.
func (a *Account) Transfer(amount int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.checking -= amount
	a.saving += amount
}

// String tells whether the account is in balance.
func (a *Account) String() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	checking := a.checking
	saving := a.saving
	if checking+saving != 100 {
		return "wrong"
	}
	return "right"
}

func main() {
	account := &Account{checking: 100}
	var wg sync.WaitGroup
	wg.Go(func() { account.Transfer(10) })
	report := fmt.Sprintln([]*Account{account})
	wg.Wait()
	println(report)
}
