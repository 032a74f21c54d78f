// A function that others run, too, looks at a count while the goroutine that counts may go on.
// Each run has variables and a channel of its own: what is read after the channel is closed is ordered.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// try gives up when the context is over, and leaves the goroutine behind.
func try(ctx context.Context, do func() error) (int, error) {
	var err error
	tries := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 3 {
			tries++ // want data-race
			if err = do(); err == nil {
				return
			}
		}
	}()
	select {
	case <-done:
		return tries, err
	case <-ctx.Done():
		return tries, ctx.Err() // want data-race
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fmt.Println(try(ctx, func() error { return errors.New("busy") }))
		}()
	}
	wg.Wait()
}
