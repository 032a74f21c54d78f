// Command progress_two_flags: whoever waits for a connection looks whether it is there, or has failed. A dialer without
// an address says neither.
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
	if address == "" {
		return
	}
	if len(address) > 20 {
		c.failed.Store(true)
		return
	}
	c.ready.Store(true)
}

func main() {
	c := &conn{}
	go c.dial("")
	for !c.ready.Load() {
		if c.failed.Load() { // want no-progress
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(c.ready.Load())
}
