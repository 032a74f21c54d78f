// Command drained_by_two_calls has a site that adds up what a counter with a lock of its
// own has counted since the last time. It asks the counter and then resets it, and what is
// counted in between is lost.
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

func (c *counter) load() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *counter) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n = 0
}

// Site is what is reported about, by one goroutine.
type Site struct {
	hits  *counter
	total int
}

// Report adds what was counted since the last report, and returns the total.
func (s *Site) Report() int {
	n := s.hits.load()
	s.hits.reset() // what was counted since is lost
	s.total += n
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
