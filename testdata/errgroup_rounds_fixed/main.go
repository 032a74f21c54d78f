// Command errgroup_rounds_fixed works in rounds, each with a group of its own.
package main

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Round is a number and what came of it.
type Round struct {
	number int
	result string
}

// Set sets both.
func (r *Round) Set(number int, result string) {
	r.number = number
	r.result = result
}

func main() {
	r := &Round{}
	for i := range 3 {
		g, _ := errgroup.WithContext(context.Background())
		g.Go(func() error {
			r.Set(i, "won")
			return nil
		})
		if err := g.Wait(); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println("over")
}
