// Program wait_group_under_lock_fixed: the mended wait_group_under_lock.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		n++
		mu.Unlock()
	}()
	mu.Lock()
	n++
	mu.Unlock()
	wg.Wait()
	fmt.Println(n)
}
