// Command order_used_after_cleared_fixed: what was looked at under the lock is what is used.
package main

import (
	"fmt"
	"sync"
)

type session struct{ user string }

type client struct {
	mu      sync.Mutex
	current *session
}

func (c *client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = nil
}

func (c *client) user() string {
	c.mu.Lock()
	s := c.current
	c.mu.Unlock()
	if s == nil {
		return "nobody"
	}
	return s.user
}

func main() {
	c := &client{current: &session{"ada"}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.end()
	}()
	fmt.Println(c.user())
	<-ended
}
