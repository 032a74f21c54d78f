// Command marshaled_in_slice_fixed encodes the accounts of a bank while another goroutine
// transfers money. json calls the MarshalJSON method of each account in the slice, and that
// reads the balances under the lock.
package main

import (
	"encoding/json"
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

// MarshalJSON tells whether the account is in balance.
func (a *Account) MarshalJSON() ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	checking := a.checking
	saving := a.saving
	if checking+saving != 100 {
		return []byte("false"), nil
	}
	return []byte("true"), nil
}

func main() {
	account := &Account{checking: 100}
	var wg sync.WaitGroup
	wg.Go(func() { account.Transfer(10) })
	report, err := json.Marshal(struct{ Accounts []*Account }{[]*Account{account}})
	wg.Wait()
	println(string(report), err == nil)
}
