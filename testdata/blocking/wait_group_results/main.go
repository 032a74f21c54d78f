// Program wait_group_results: The workers send their results, which are received after Wait.
package main

import (
	"fmt"
	"sync"
)

func main() {
	results := make(chan int)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			results <- i // want deadlock
		}()
	}
	wg.Wait() // want deadlock
	close(results)
	for r := range results {
		fmt.Println(r)
	}
}
