// Command livelock_beside_heartbeat: as in livelock_accounts, two transfers between the same accounts take the lock of
// their own one, find that of the other one taken, give theirs back, and try again. They can do so at the same time for
// ever, beside a goroutine that goes on for ever as well.
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
	go func() {
		for {
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
