// Program wait_group_under_lock: Wait is called under the lock that the goroutine takes before it counts down.
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
		mu.Lock() // want deadlock
		n++
		mu.Unlock()
	}()
	mu.Lock()
	n++
	wg.Wait() // want deadlock
	mu.Unlock()
	fmt.Println(n)
}
