// Program lock_channel_subscriber: The publisher sends to a subscriber under its lock; the subscriber unsubscribes.
package main

import (
	"fmt"
	"sync"
	"time"
)

type hub struct {
	mu   sync.Mutex
	subs []chan int
}

func (h *hub) Publish(n int) {
	h.mu.Lock()
	subs := append([]chan int(nil), h.subs...)
	for _, s := range subs {
		s <- n // want deadlock
	}
	h.mu.Unlock()
}

func (h *hub) Clear() {
	h.mu.Lock() // want deadlock
	h.subs = nil
	h.mu.Unlock()
}

func main() {
	h := &hub{}
	s := make(chan int)
	h.subs = append(h.subs, s)
	done := make(chan bool)
	go func() {
		h.Clear()
		select {
		case <-s:
		case <-time.After(time.Millisecond):
		}
		close(done)
	}()
	h.Publish(1)
	<-done
	fmt.Println("done")
}
