// Goroutines append to one slice.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var results []int
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			results = append(results, i*i) // want data-race
		}()
	}
	wg.Wait()
	fmt.Println(results)
}
