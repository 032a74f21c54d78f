// Command cellar_limit_in_helper fills a cellar that may have a limit. A helper asks first.
package main

import "sync"

// Cellar has bottles. No limit is zero.
type Cellar struct {
	mu      sync.Mutex
	max     int
	bottles int
}

// NewCellar returns an empty cellar.
func NewCellar(max int) *Cellar {
	return &Cellar{max: max}
}

// Full reports whether there is no room.
func (c *Cellar) Full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.max > 0 && c.bottles >= c.max
}

// Store stores a bottle that is corked.
func (c *Cellar) Store(cork func()) bool {
	if c.Full() {
		return false
	}
	cork()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.max > 0 && c.bottles > c.max { // BUG: not what was asked before
		return false
	}
	c.bottles++
	return true
}

func main() {
	cellar := NewCellar(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { cellar.Store(func() {}) })
	}
	wg.Wait()
}
