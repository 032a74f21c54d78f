// Command double_check_nil_fixed opens a connection when it is asked for first, and only then.
package main

import "sync"

// Client has a connection, and knows how often it was opened.
type Client struct {
	mu    sync.Mutex
	conn  *int
	opens int
}

func open() *int { return new(int) }

// Conn returns the connection.
func (c *Client) Conn() *int {
	c.mu.Lock()
	if conn := c.conn; conn != nil {
		c.mu.Unlock()
		return conn
	}
	c.mu.Unlock()
	conn := open() // without the lock: it takes time
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		c.conn = conn
		c.opens++
	}
	return c.conn
}

func main() {
	c := &Client{}
	done := make(chan bool)
	go func() {
		c.Conn()
		done <- true
	}()
	c.Conn()
	<-done
}
