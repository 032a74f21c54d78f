// Command semaphore_in_workers starts workers that wait for one token, unless they are told to stop: then
// they go on without it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
)

// Stock is what is there, and what is promised.
type Stock struct {
	there    int
	promised int
}

type sems struct{ sem chan struct{} }

func main() {
	st := &Stock{there: 10}
	s := sems{sem: make(chan struct{}, 1)}
	s.sem <- struct{}{}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			select {
			case <-s.sem:
			case <-ctx.Done():
				fmt.Println("told to stop")
			}
			st.there -= i
			st.promised += i
			s.sem <- struct{}{}
		}()
	}
	wg.Wait()
	fmt.Println(st.there, st.promised)
}
