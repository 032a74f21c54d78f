// Program condition_unlocked_change: The state is changed without the lock: between the look and the wait.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var ready atomic.Bool
	go func() {
		ready.Store(true)
		cond.Broadcast()
	}()
	mu.Lock()
	for !ready.Load() {
		cond.Wait() // want missed-signal
	}
	mu.Unlock()
	fmt.Println("ready")
}
