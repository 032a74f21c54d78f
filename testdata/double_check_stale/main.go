// Command double_check_stale looks twice, but goes on with what it saw the first time.
package main

import "sync"

// Account has a balance and a number of bookings.
type Account struct {
	mu       sync.RWMutex
	balance  int
	bookings int
}

// Withdraw takes an amount if there is enough.
func (a *Account) Withdraw(amount int) bool {
	a.mu.RLock()
	balance := a.balance
	a.mu.RUnlock()
	if balance < amount {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.balance < amount {
		return false
	}
	a.balance = balance - amount // not what the second look saw
	a.bookings++
	return true
}

func main() {
	a := &Account{balance: 50}
	done := make(chan bool)
	go func() {
		a.Withdraw(20)
		done <- true
	}()
	println(a.Withdraw(20))
	<-done
}
