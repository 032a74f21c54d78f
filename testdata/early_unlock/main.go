// Command early_unlock fills a bounded queue from two goroutines and counts
// what did not fit.
package main

import (
	"fmt"
	"sync"
)

func main() {
	queue := &Queue{capacity: 3}

	var wg sync.WaitGroup
	for _, worker := range []string{"a", "b"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, suffix := range []string{"1", "2", "3"} {
				queue.Put(worker + suffix)
			}
		}()
	}
	wg.Wait()

	length, dropped := queue.Stats()
	fmt.Println(length, "queued,", dropped, "dropped")
}
