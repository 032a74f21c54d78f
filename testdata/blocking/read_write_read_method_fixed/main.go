// Program read_write_read_method_fixed: the mended read_write_read_method.
package main

import (
	"fmt"
	"sync"
)

type config struct {
	mu sync.RWMutex
	m  map[string]string
}

func (c *config) get(key string) string {
	return c.m[key]
}

func (c *config) Address() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.get("host") + ":" + c.get("port")
}

func (c *config) Set(key, value string) {
	c.mu.Lock()
	c.m[key] = value
	c.mu.Unlock()
}

func main() {
	c := &config{m: map[string]string{}}
	go c.Set("host", "localhost")
	fmt.Println(c.Address())
}
