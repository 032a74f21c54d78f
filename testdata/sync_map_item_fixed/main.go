// Command sync_map_item_fixed counts the hits of pages in a sync.Map of counters, which
// have a lock each.
package main

import (
	"fmt"
	"sync"
)

type counter struct {
	mu   sync.Mutex
	hits int
}

// Site is the counters by page, and how many there are.
type Site struct {
	pages sync.Map // of *counter
	size  int
}

// Hit counts a hit of a page.
func (s *Site) Hit(page string) {
	if known, ok := s.pages.Load(page); ok {
		c := known.(*counter)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.hits++
	}
}

func main() {
	site := &Site{}
	site.pages.Store("home", &counter{})
	site.size = 1
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { site.Hit("home") })
	}
	wg.Wait()
	fmt.Println("done")
}
