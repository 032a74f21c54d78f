// Command livelock_beside_heartbeat_fixed: two transfers take the locks of the accounts in the order of their numbers,
// beside a goroutine that goes on for ever. Who has the first one finds the second one free, or soon given back.
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
	go func() {
		for {
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
