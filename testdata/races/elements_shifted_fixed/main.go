// They are moved to an array of their own.
package main

import (
	"fmt"
	"sync"
)

type hosts struct {
	mu    sync.Mutex
	names []string
}

func (h *hosts) remove(i int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i < len(h.names) {
		names := append([]string(nil), h.names[:i]...)
		h.names = append(names, h.names[i+1:]...)
	}
}

func (h *hosts) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.names
}

func main() {
	h := &hosts{names: []string{"a", "b", "c"}}
	done := make(chan bool)
	go func() {
		for _, name := range h.all() {
			fmt.Println(len(name))
		}
		done <- true
	}()
	h.remove(0)
	<-done
}
