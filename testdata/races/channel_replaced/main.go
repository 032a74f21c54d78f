// A field with a channel is set to a new channel while others look there.
package main

import (
	"fmt"
	"sync"
)

type hub struct {
	mu      sync.Mutex
	version int
	changed chan struct{}
}

func (h *hub) set(version int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.version = version
	close(h.changed)
	h.changed = make(chan struct{}) // want data-race
}

func (h *hub) wait() int {
	<-h.changed // want data-race
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.version
}

func main() {
	h := &hub{changed: make(chan struct{})}
	done := make(chan bool)
	go func() {
		fmt.Println(h.wait())
		done <- true
	}()
	h.set(1)
	<-done
}
