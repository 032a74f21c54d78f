// Command embedded_lock embeds its lock, and hands itself out as a sync.Locker.
package main

import "sync"

// Counter has a lock among its methods.
type Counter struct {
	sync.Mutex
	n, max int
}

func (c *Counter) add() {
	guarded(c, func() {
		c.n++
		c.max = max(c.n, c.max)
	})
}

// guarded runs a function with a lock held.
func guarded(l sync.Locker, do func()) {
	l.Lock()
	defer l.Unlock()
	do()
}

func (c *Counter) get() int {
	c.Lock()
	defer c.Unlock()
	return c.n
}

func main() {
	c := &Counter{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(c.add)
	}
	println(c.get())
	wg.Wait()
}
