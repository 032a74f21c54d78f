// Program condition_signal_early: The signal comes before the other goroutine waits, and nothing is looked at.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		cond.Signal()
	}()
	mu.Lock()
	cond.Wait() // want missed-signal
	mu.Unlock()
	fmt.Println(ready)
}
