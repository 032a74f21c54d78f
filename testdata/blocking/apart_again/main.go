// Program apart_again: Each of many goroutines audits an account of its own, whose two locks are taken in both orders.
package main

import "sync"

type account struct {
	mu, journal sync.Mutex
	balance     int
	lines       []int
}

// deposit is called by the auditor.
func (a *account) deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
	a.journal.Lock() // want deadlock
	a.lines = append(a.lines, n)
	a.journal.Unlock()
}

// total is called by a helper of the auditor.
func (a *account) total() (n int) {
	a.journal.Lock()
	defer a.journal.Unlock()
	a.mu.Lock() // want deadlock
	n = a.balance
	a.mu.Unlock()
	for _, line := range a.lines {
		n += line
	}
	return n
}

func audit() {
	a := &account{}
	done := make(chan int, 1)
	go func() { done <- a.total() }()
	a.deposit(1)
	<-done
}

func main() {
	for range 1000 {
		go audit()
	}
}
