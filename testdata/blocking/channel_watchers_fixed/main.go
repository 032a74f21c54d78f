// Program channel_watchers_fixed: What nobody receives at once is not sent.
package main

import (
	"fmt"
	"sync"
)

type hub struct {
	mu       sync.Mutex
	watchers map[int]*watcher
}

type watcher struct {
	of *hub
	c  chan string
}

func (h *hub) tell(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.watchers {
		select {
		case w.c <- text:
		default:
		}
	}
}

func (h *hub) watch() *watcher {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := &watcher{h, make(chan string)}
	h.watchers[7] = w
	return w
}

func (w *watcher) stop() {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	delete(w.of.watchers, 7)
}

func main() {
	h := &hub{watchers: map[int]*watcher{}}
	go h.tell("news")
	w := h.watch()
	w.stop()
	fmt.Println("stopped")
}
