// Program channel_worker_leak: Workers are not told that there is nothing more to do.
package main

import (
	"fmt"
)

func main() {
	jobs, results := make(chan int), make(chan int)
	for range 2 {
		go func() {
			for j := range jobs { // want blocked
				results <- j * j
			}
		}()
	}
	sum := 0
	for i := range 4 {
		jobs <- i
		sum += <-results
	}
	fmt.Println(sum)
}
