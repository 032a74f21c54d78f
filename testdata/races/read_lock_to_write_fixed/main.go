// It is written atomically.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type counters struct {
	mu   sync.RWMutex
	hits map[string]*atomic.Int64
	all  int
}

func (c *counters) hit(name string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if n := c.hits[name]; n != nil {
		n.Add(1)
	}
}

func main() {
	c := &counters{hits: map[string]*atomic.Int64{"a": {}}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.hit("a")
		}()
	}
	wg.Wait()
	fmt.Println(c.hits["a"].Load())
}
