// Program condition_one_signal_fixed: the mended condition_one_signal.
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
				cond.Wait()
			}
			mu.Unlock()
		}()
	}
	mu.Lock()
	open = true
	mu.Unlock()
	cond.Broadcast()
	wg.Wait()
	fmt.Println("open")
}
