// Program order_close_twice_fixed: the mended order_close_twice.
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
	c.once.Do(func() { close(c.closed) })
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
