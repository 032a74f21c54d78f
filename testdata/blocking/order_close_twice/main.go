// Program order_close_twice: Both sides close the connection.
package main

import (
	"fmt"
	"sync"
)

type conn struct {
	once   sync.Once
	closed chan struct{}
}

func (c *conn) Close() {
	close(c.closed) // want order
}

func main() {
	c := &conn{closed: make(chan struct{})}
	done := make(chan bool)
	go func() {
		c.Close()
		done <- true
	}()
	c.Close()
	<-done
	fmt.Println("closed")
}
