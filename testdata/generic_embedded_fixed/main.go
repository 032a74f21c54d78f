// Command generic_embedded_fixed embeds a generic guarded value in a configuration.
package main

import "sync"

// Guarded is a value with the lock that guards it.
type Guarded[T any] struct {
	sync.Mutex
	value T
}

type limits struct{ soft, hard int }

// Config is the limits and how often they were changed.
type Config struct {
	Guarded[limits]
	version int
}

func (c *Config) Raise(by int) {
	c.Lock()
	c.value.soft += by
	c.value.hard += by
	c.version++
	c.Unlock()
}

func (c *Config) Get() (limits, int) {
	c.Lock()
	defer c.Unlock()
	value := c.value
	version := c.version
	return value, version
}

func main() {
	config := &Config{}
	var wg sync.WaitGroup
	wg.Go(func() { config.Raise(10) })
	wg.Go(func() {
		value, version := config.Get()
		println(value.soft, value.hard, version)
	})
	wg.Wait()
}
