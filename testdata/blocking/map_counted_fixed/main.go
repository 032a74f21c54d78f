// Program map_counted_fixed: The mended map_counted. Each channel has room for the news.
package main

import "sync"

type hub struct {
	mu  sync.Mutex
	all map[int]chan string
}

func (h *hub) add() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.all)
	h.all[n] = make(chan string, 1)
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
		c <- "news"
	}
}

func main() {
	h := &hub{all: map[int]chan string{}}
	go h.tell()
	n := h.add()
	h.leave(n)
}
