// Elements are moved within the array that a copy of the slice has, too.
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
		h.names = append(h.names[:i], h.names[i+1:]...) // want data-race
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
		for _, name := range h.all() { // want data-race
			fmt.Println(len(name))
		}
		done <- true
	}()
	h.remove(0)
	<-done
}
