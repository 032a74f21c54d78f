// Command started_object_kept_fixed counts requests. The first request makes
// the counter, and later ones drop theirs and use that one as well.
package main

import "sync"

// Counter counts requests.
type Counter struct {
	mu sync.Mutex
	n  int
}

// Inc counts a request.
func (c *Counter) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

var (
	mu      sync.Mutex
	current *Counter
)

// request counts a request in the background.
func request() {
	fresh := &Counter{}
	mu.Lock()
	if current == nil {
		current = fresh
	}
	c := current
	mu.Unlock()
	go c.Inc()
}

func main() {
	request()
	request()
}
