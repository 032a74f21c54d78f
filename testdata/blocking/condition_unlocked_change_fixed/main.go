// Program condition_unlocked_change_fixed: the mended condition_unlocked_change.
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
		mu.Lock()
		ready.Store(true)
		mu.Unlock()
		cond.Broadcast()
	}()
	mu.Lock()
	for !ready.Load() {
		cond.Wait()
	}
	mu.Unlock()
	fmt.Println("ready")
}
