// Command once_again_fixed loads a configuration under a lock, unless it has it.
package main

import (
	"fmt"
	"sync"
)

// Config is a version and the number of its settings.
type Config struct {
	mu            sync.Mutex
	once          sync.Once
	version, size int
}

// Get returns the configuration.
func (c *Config) Get() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
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
	c.mu.Lock()
	defer c.mu.Unlock()
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
