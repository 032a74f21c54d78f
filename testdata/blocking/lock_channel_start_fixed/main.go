// Program lock_channel_start_fixed: the mended lock_channel_start.
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
	d.mu.Lock()
	d.up = true
	d.mu.Unlock()
	d.started <- true
}

func (d *daemon) Start() {
	d.mu.Lock()
	if !d.up {
		go d.run()
		d.mu.Unlock()
		<-d.started
		d.mu.Lock()
	}
	d.mu.Unlock()
}

func main() {
	d := &daemon{started: make(chan bool)}
	d.Start()
	fmt.Println("up")
}
