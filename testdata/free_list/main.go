// Command free_list keeps connections that nobody uses in a channel. A worker gives its
// connection back before it uses it.
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

func dial() *Conn { return &Conn{} }

func work(free chan *Conn, user int) {
	var c *Conn
	select {
	case c = <-free:
	default:
		c = dial()
	}
	select {
	case free <- c: // too early
	default:
	}
	c.Send(user, fmt.Sprint("packet of ", user))
}

func main() {
	free := make(chan *Conn, 2)
	var wg sync.WaitGroup
	for user := range 4 {
		wg.Go(func() { work(free, user) })
	}
	wg.Wait()
}
