// Program map_counted: Subscribers get the next number that is free. The last one is told while it leaves.
package main

import "sync"

type hub struct {
	mu  sync.Mutex
	all map[int]chan string
}

func (h *hub) add() int {
	n := len(h.all)
	h.all[n] = make(chan string)
	return n
}

func (h *hub) leave(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, n)
}

func (h *hub) tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.all {
		c <- "news" // want blocked
	}
}

func main() {
	h := &hub{all: map[int]chan string{}}
	go h.tell()
	n := h.add()
	h.leave(n)
}
