// Program condition_one_signal: Two goroutines wait, and one of them is signalled.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	open := false
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			for !open {
				cond.Wait() // want missed-signal
			}
			mu.Unlock()
		}()
	}
	mu.Lock()
	open = true
	mu.Unlock()
	cond.Signal()
	wg.Wait()
	fmt.Println("open")
}
