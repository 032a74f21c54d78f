// Command sync_map_item counts the hits of pages in a sync.Map of counters. The map may be
// used by several goroutines at a time; the counters in it may not.
package main

import (
	"fmt"
	"sync"
)

type counter struct {
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
		known.(*counter).hits++
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
