// Program double_lock_method_fixed: the mended double_lock_method.
package main

import (
	"fmt"
	"sync"
)

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) Get() int {
	return c.n
}

func (c *counter) Double() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n = 2 * c.Get()
}

func main() {
	c := &counter{n: 1}
	c.Double()
	fmt.Println(c.n)
}
