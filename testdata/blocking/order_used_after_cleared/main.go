// Command order_used_after_cleared: whether there is a session is asked first, and it is used when the lock has been
// released in between: it may have been ended.
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

func (c *client) isOpen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current != nil
}

func (c *client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = nil
}

func (c *client) user() string {
	if !c.isOpen() {
		return "nobody"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current.user // want order
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
