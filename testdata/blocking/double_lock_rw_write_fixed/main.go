// Program double_lock_rw_write_fixed: the mended double_lock_rw_write.
package main

import (
	"fmt"
	"sync"
)

type cache struct {
	mu   sync.RWMutex
	data map[string]int
}

func (c *cache) load(key string) {
	c.mu.Lock()
	c.data[key] = len(key)
	c.mu.Unlock()
}

func (c *cache) Get(key string) int {
	c.mu.RLock()
	if _, ok := c.data[key]; !ok {
		c.mu.RUnlock()
		c.load(key)
		c.mu.RLock()
	}
	defer c.mu.RUnlock()
	return c.data[key]
}

func main() {
	c := &cache{data: map[string]int{}}
	fmt.Println(c.Get("abc"))
}
