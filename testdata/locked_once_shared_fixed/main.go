// Command locked_once_shared_fixed locks an account when it is known to be shared,
// which is said before it is.
package main

import "sync"

// Account is a balance and the number of payments.
type Account struct {
	mu                sync.Mutex
	balance, payments int
}

var shared *Account // the account that several use

// Pay pays something in.
func (a *Account) Pay(amount int) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	a.balance += amount
	a.payments++
}

func main() {
	a := &Account{}
	shared = a
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { a.Pay(i) })
	}
	wg.Wait()
	a.Pay(3)
	println(a.balance, a.payments)
}
