// What a map leads to is written with its lock held for reading.
package main

import (
	"fmt"
	"sync"
)

type counters struct {
	mu   sync.RWMutex
	hits map[string]*int
	all  int
}

func (c *counters) hit(name string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if n := c.hits[name]; n != nil {
		*n++ // want data-race
	}
}

func main() {
	c := &counters{hits: map[string]*int{"a": new(int)}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.hit("a")
		}()
	}
	wg.Wait()
	fmt.Println(*c.hits["a"])
}
