// Command errgroup_context lets workers of a group note where they are, for the message if
// one of them fails. Each does so without a lock.
package main

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Place is a worker and its step.
type Place struct {
	mu     sync.Mutex
	worker int
	step   string
}

// Note notes where a worker is.
func (p *Place) Note(worker int, step string) {
	p.worker = worker // without the lock
	p.step = step
}

// Where returns the place. The workers have to be done.
func (p *Place) Where() string {
	worker := p.worker
	step := p.step
	return fmt.Sprint(worker, step)
}

func main() {
	p := &Place{}
	g, ctx := errgroup.WithContext(context.Background())
	g.SetLimit(2)
	for i := range 3 {
		g.Go(func() error {
			p.Note(i, "begin")
			return ctx.Err()
		})
	}
	fmt.Println(g.Wait(), p.Where())
}
