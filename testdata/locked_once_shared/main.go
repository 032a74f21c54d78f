// Command locked_once_shared locks an account only when it is known to be shared. It
// is shared before.
package main

import "sync"

// Account is a balance and the number of payments.
type Account struct {
	mu                sync.Mutex
	balance, payments int
}

var shared *Account // the account that several use, nil as long as nobody does

// Pay pays something in.
func (a *Account) Pay(amount int) {
	if shared != nil {
		shared.mu.Lock()
		defer shared.mu.Unlock()
	}
	a.balance += amount
	a.payments++
}

func main() {
	a := &Account{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { a.Pay(i) })
	}
	wg.Wait()
	shared = a // too late
	a.Pay(3)
	println(a.balance, a.payments)
}
