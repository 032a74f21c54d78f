// Command flow_context hands the object on in a context.
package main

import (
	"context"
	"sync"
)

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	c.minutes = minutes
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	hours := c.hours
	c.mu.Unlock()
	c.mu.Lock() // the clock may be set here
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

type key struct{}

func with(ctx context.Context, c *Clock) context.Context { return context.WithValue(ctx, key{}, c) }

func from(ctx context.Context) *Clock {
	c, _ := ctx.Value(key{}).(*Clock)
	return c
}

func main() {
	ctx, cancel := context.WithCancel(with(context.Background(), &Clock{}))
	defer cancel()

	var wg sync.WaitGroup
	wg.Go(func() { from(ctx).Set(1, 2) })
	wg.Go(func() { println(from(ctx).Get()) })
	wg.Wait()
}
