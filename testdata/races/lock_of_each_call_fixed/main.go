// The lock is made with the variable: each call of the function has one of both.
package main

import (
	"fmt"
	"sync"
)

// sum adds up in parts.
func sum(all []int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for _, n := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			total += n
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
