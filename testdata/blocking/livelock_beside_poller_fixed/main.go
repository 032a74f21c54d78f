// Command livelock_beside_poller_fixed: two transfers take the locks of the accounts in the order of their numbers, beside
// a goroutine that counts under a lock of its own, and looks in each round whether it is to stop.
package main

import (
	"fmt"
	"sync"
	"time"
)

type account struct {
	number  int
	mu      sync.Mutex
	balance int
}

func transfer(from, to *account, amount int) {
	first, second := from, to
	if second.number < first.number {
		first, second = second, first
	}
	for {
		first.mu.Lock()
		if second.mu.TryLock() {
			break
		}
		first.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	from.balance -= amount
	to.balance += amount
	second.mu.Unlock()
	first.mu.Unlock()
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
	ann, bob := &account{number: 1, balance: 10}, &account{number: 2, balance: 10}
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
