// Program double_lock_method: A method that locks calls another one that locks, too.
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
	c.mu.Lock() // want deadlock
	defer c.mu.Unlock()
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
