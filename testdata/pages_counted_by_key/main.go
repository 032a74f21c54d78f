// Command pages_counted_by_key counts for each page how often it has been asked for
// and found.
package main

import (
	"sync"
	"sync/atomic"
)

// Counts are those of one page. No page is found more often than it is asked for.
type Counts struct {
	mu    sync.Mutex
	asked atomic.Int64
	found atomic.Int64
}

// Hit counts that the page has been asked for and found.
func (c *Counts) Hit() {
	// BUG: two counters, each of them atomic
	c.asked.Add(1)
	c.found.Add(1)
}

// Misses returns how often the page has not been found.
func (c *Counts) Misses() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked := c.asked.Load()
	found := c.found.Load()
	return asked - found
}

// Site has counts for some pages.
type Site map[string]*Counts

// Hit counts for a page, if the site has it.
func (s Site) Hit(page string) {
	if counts, ok := s[page]; ok {
		counts.Hit()
	}
}

func main() {
	site := Site{
		"/":      new(Counts),
		"/about": new(Counts),
	}
	var wg sync.WaitGroup
	for _, page := range []string{"/", "/about", "/", "/none"} {
		wg.Go(func() { site.Hit(page) })
	}
	wg.Go(func() {
		if site["/"].Misses() < 0 {
			panic("found, but never asked for")
		}
	})
	wg.Wait()
}
