// Command group_reader_fails_fixed: the writer looks at the context, which is over then.
package main

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
)

func main() {
	g, ctx := errgroup.WithContext(context.Background())
	numbers := make(chan int)
	g.Go(func() error {
		defer close(numbers)
		for n := range 3 {
			select {
			case numbers <- n:
			case <-ctx.Done():
			}
		}
		return ctx.Err()
	})
	g.Go(func() error {
		for n := range numbers {
			if n == 1 {
				return errors.New("one")
			}
		}
		return nil
	})
	fmt.Println(g.Wait())
}
