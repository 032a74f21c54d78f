// Command started_object_kept counts requests. The first request makes the
// counter, and later ones drop theirs and use that one as well.
package main

import "sync"

// Counter counts requests.
type Counter struct{ n int }

// Inc counts a request.
func (c *Counter) Inc() { c.n++ }

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
	go c.Inc() // not always the counter that was made above
}

func main() {
	request()
	request()
}
