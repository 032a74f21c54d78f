// Command copy_on_write publishes snapshots through an atomic pointer.
package main

import (
	"sync"
	"sync/atomic"
)

// Config is a snapshot: after it is stored nobody changes it.
type Config struct {
	limit int
	names []string
}

var current atomic.Pointer[Config]

// Limit changes the snapshot.
func Limit(n int, name string) {
	next := current.Load() // the one that everybody reads
	next.limit = n
	next.names = append(next.names, name)
	current.Store(next)
}

func (c *Config) Show() {
	limit := c.limit
	names := len(c.names)
	println(limit, names)
}

func main() {
	current.Store(&Config{limit: 1})
	var wg sync.WaitGroup
	wg.Go(func() { Limit(2, "two") })
	wg.Go(func() { current.Load().Show() })
	wg.Wait()
}
