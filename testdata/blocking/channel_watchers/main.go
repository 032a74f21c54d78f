// Program channel_watchers: Who gives up watching waits for the lock that is held while it is sent to it. The map is empty
// when the goroutine that sends is started.
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
		w.c <- text // want blocked
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
