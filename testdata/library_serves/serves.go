// Package serves has a counter, and a server that is of another type and calls handlers.
package serves

import "sync"

// Counter counts hits, and those of them that failed.
type Counter struct {
	mu     sync.Mutex
	hits   int
	failed int
}

// Add counts a hit.
func (c *Counter) Add(failed bool) {
	c.mu.Lock()
	c.hits++
	c.mu.Unlock()
	if failed {
		c.mu.Lock()
		c.failed++
		c.mu.Unlock()
	}
}

// Totals returns both numbers.
func (c *Counter) Totals() (hits, failed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.failed
}

// Server calls handlers.
type Server struct {
	mu       sync.Mutex
	handlers map[string]func() error
}

// Handle sets the handler of a name.
func (s *Server) Handle(name string, handler func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handlers == nil {
		s.handlers = map[string]func() error{}
	}
	s.handlers[name] = handler
}

// Serve calls the handler of a name, and says how often that was done.
func (s *Server) Serve(name string) (n int, err error) {
	s.mu.Lock()
	handler, before := s.handlers[name], len(s.handlers)
	s.mu.Unlock()
	if handler != nil {
		err = handler()
	}
	return before, err
}

// Each calls a function for each of n numbers, on goroutines of its own.
func Each(n int, f func(int) error) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { _ = f(i) })
	}
	wg.Wait()
}
