// Command livelock_until: two that take two locks in different orders give up at a time that is not known.
//
// open: how long the two may hinder each other depends on the clock.
package main

import (
	"fmt"
	"sync"
	"time"
)

func both(own, other *sync.Mutex, until time.Time) bool {
	for {
		own.Lock()
		if other.TryLock() {
			break
		}
		own.Unlock()
		if time.Now().After(until) {
			return false
		}
	}
	other.Unlock()
	own.Unlock()
	return true
}

func main() {
	var a, b sync.Mutex
	until := time.Now().Add(time.Minute)
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		fmt.Println(both(&a, &b, until))
	}()
	fmt.Println(both(&b, &a, until))
	all.Wait()
}
