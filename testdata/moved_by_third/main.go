// Command moved_by_third has workers that either make a connection ready or use it, and give
// it back before they do. It takes three to get two of them to use one.
package main

import (
	"fmt"
	"sync"
)

// Conn is a connection. It is not safe for concurrent use.
type Conn struct {
	user   int
	packet string
}

// Send sends a packet.
func (c *Conn) Send(user int, packet string) {
	c.user = user
	c.packet = packet
}

func work(fresh, ready chan *Conn, user int) {
	if user == 0 {
		c := <-fresh
		ready <- c
		return
	}
	c := <-ready
	ready <- c // too early
	c.Send(user, fmt.Sprint("packet of ", user))
}

func main() {
	fresh, ready := make(chan *Conn, 2), make(chan *Conn, 2)
	fresh <- &Conn{}
	var wg sync.WaitGroup
	for user := range 3 {
		wg.Go(func() { work(fresh, ready, user) })
	}
	wg.Wait()
}
