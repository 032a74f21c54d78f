// Command progress_two_flags_fixed: a dialer without an address says that it has failed.
package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

type conn struct {
	ready, failed atomic.Bool
}

func (c *conn) dial(address string) {
	if address == "" || len(address) > 20 {
		c.failed.Store(true)
		return
	}
	c.ready.Store(true)
}

func main() {
	c := &conn{}
	go c.dial("")
	for !c.ready.Load() {
		if c.failed.Load() {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(c.ready.Load())
}
