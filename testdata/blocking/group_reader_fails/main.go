// Command group_reader_fails: a reader that fails leaves the group, and the writer in it waits for somebody who reads on.
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
			numbers <- n // want blocked
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
