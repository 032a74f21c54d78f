// Program read_write_read_method: A reader reads again while a writer waits.
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
	c.mu.RLock() // want deadlock
	defer c.mu.RUnlock()
	return c.m[key]
}

func (c *config) Address() string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.get("host") + ":" + c.get("port")
}

func (c *config) Set(key, value string) {
	c.mu.Lock() // want deadlock
	c.m[key] = value
	c.mu.Unlock()
}

func main() {
	c := &config{m: map[string]string{}}
	go c.Set("host", "localhost")
	fmt.Println(c.Address())
}
