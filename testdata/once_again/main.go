// Command once_again loads a configuration once, until it is forgotten: then once
// more, while the first load may be under way.
package main

import (
	"fmt"
	"sync"
)

// Config is a version and the number of its settings.
type Config struct {
	once          sync.Once
	version, size int
}

// Get returns the configuration.
func (c *Config) Get() (int, int) {
	c.once.Do(func() {
		c.version = 7
		c.size = 3
	})
	version := c.version
	size := c.size
	return version, size
}

// Forget makes the next Get load it again.
func (c *Config) Forget() {
	c.once = sync.Once{}
}

func main() {
	c := &Config{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			fmt.Println(c.Get())
			c.Forget()
			fmt.Println(c.Get())
		})
	}
	wg.Wait()
}
