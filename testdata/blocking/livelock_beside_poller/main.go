// Command livelock_beside_poller: two transfers between the same accounts hinder each other as in livelock_accounts, beside
// a goroutine that counts under a lock of its own, and looks in each round whether it is to stop.
package main

import (
	"fmt"
	"sync"
	"time"
)

type account struct {
	mu      sync.Mutex
	balance int
}

func transfer(from, to *account, amount int) {
	for {
		from.mu.Lock()
		// confirm: no, no run shows that it goes on for ever
		if to.mu.TryLock() { // want livelock
			break
		}
		from.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	from.balance -= amount
	to.balance += amount
	to.mu.Unlock()
	from.mu.Unlock()
}

func main() {
	var beats sync.Mutex
	n := 0
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			beats.Lock()
			n++
			beats.Unlock()
			time.Sleep(time.Second)
		}
	}()
	ann, bob := &account{balance: 10}, &account{balance: 10}
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		transfer(ann, bob, 3)
	}()
	transfer(bob, ann, 5)
	all.Wait()
	fmt.Println(ann.balance, bob.balance)
}
