// Goroutines add to a variable of the function that starts them, each with another lock held.
package main

import (
	"fmt"
	"sync"
)

// sum adds up in parts. Every part has a lock of its own, which excludes nobody.
func sum(all []int) int {
	var wg sync.WaitGroup
	total := 0
	for _, n := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var mu sync.Mutex
			mu.Lock()
			total += n // want data-race
			mu.Unlock()
		}()
	}
	wg.Wait()
	return total
}

func main() {
	done := make(chan int)
	for range 2 {
		go func() { done <- sum([]int{1, 2, 3}) }()
	}
	fmt.Println(<-done, <-done)
}
