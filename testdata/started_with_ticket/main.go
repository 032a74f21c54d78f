// Command started_with_ticket takes a ticket for each goroutine that it starts, which gives it back before it
// has counted.
package main

import (
	"fmt"
	"sync"
)

type tally struct {
	sum, count int
}

func main() {
	t := &tally{}
	sem := make(chan struct{}, 1)
	var wg sync.WaitGroup
	for i := range 4 {
		sem <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			t.sum += i
			<-sem
			t.count++
		}()
	}
	wg.Wait()
	fmt.Println(t.sum, t.count)
}
