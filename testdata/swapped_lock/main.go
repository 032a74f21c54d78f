// Command swapped_lock takes connections from a pool while another goroutine
// resets it.
package main

import (
	"fmt"
	"sync"
)

func main() {
	pool := NewPool(3)

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for range 2 {
			fmt.Println("got one:", pool.Take())
		}
	}()
	go func() {
		defer wg.Done()
		pool.Reset(5)
	}()
	wg.Wait()
}
