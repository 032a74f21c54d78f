// Program channel_never_closed_fixed: the mended channel_never_closed.
package main

import (
	"fmt"
	"sync"
)

func main() {
	jobs := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for j := range jobs {
			fmt.Println(j)
		}
	}()
	for i := range 3 {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
}
