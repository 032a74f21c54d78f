// Program lock_channel_start: The goroutine reports that it has started under the lock that the starter waits with.
package main

import (
	"fmt"
	"sync"
)

type daemon struct {
	mu      sync.Mutex
	started chan bool
	up      bool
}

func (d *daemon) run() {
	d.mu.Lock() // want deadlock
	d.up = true
	d.mu.Unlock()
	d.started <- true
}

func (d *daemon) Start() {
	d.mu.Lock()
	if !d.up {
		go d.run()
		<-d.started // want deadlock
	}
	d.mu.Unlock()
}

func main() {
	d := &daemon{started: make(chan bool)}
	d.Start()
	fmt.Println("up")
}
