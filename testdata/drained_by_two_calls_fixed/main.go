// Command drained_by_two_calls_fixed has a site that adds up what a counter with a lock of its
// own has counted since the last time. The counter is asked and reset in one step.
package main

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// drain returns the count and begins again.
func (c *counter) drain() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.n
	c.n = 0
	return n
}

// Site is what is reported about, by one goroutine.
type Site struct {
	hits  *counter
	total int
}

// Report adds what was counted since the last report, and returns the total.
func (s *Site) Report() int {
	s.total += s.hits.drain()
	return s.total
}

func serve(c *counter) { c.add() }

func main() {
	hits := &counter{}
	s := &Site{hits: hits}
	var wg sync.WaitGroup
	wg.Go(func() { serve(hits) })
	println(s.Report())
	wg.Wait()
}
