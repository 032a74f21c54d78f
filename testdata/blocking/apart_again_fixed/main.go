// Program apart_again_fixed: the mended apart_again.
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
	a.journal.Lock()
	a.lines = append(a.lines, n)
	a.journal.Unlock()
}

// total is called by a helper of the auditor.
func (a *account) total() (n int) {
	a.mu.Lock()
	n = a.balance
	a.mu.Unlock()
	a.journal.Lock()
	defer a.journal.Unlock()
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
