// Program channel_worker_leak_fixed: the mended channel_worker_leak.
package main

import (
	"fmt"
)

func main() {
	jobs, results := make(chan int), make(chan int)
	for range 2 {
		go func() {
			for j := range jobs {
				results <- j * j
			}
		}()
	}
	sum := 0
	for i := range 4 {
		jobs <- i
		sum += <-results
	}
	close(jobs)
	fmt.Println(sum)
}
