// Command started_with_ticket_fixed takes a ticket for each goroutine that it starts, which gives it back.
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
			defer func() { <-sem }()
			t.sum += i
			t.count++
		}()
	}
	wg.Wait()
	fmt.Println(t.sum, t.count)
}
