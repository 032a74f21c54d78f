// Command listener_gone calls a listener that may be gone since it was looked for.
package main

import (
	"fmt"
	"sync"
)

// Bus hands events to a listener.
type Bus struct {
	mu       sync.Mutex
	listener func(string)
}

// Listen sets the listener; nil is none.
func (b *Bus) Listen(listener func(string)) {
	b.mu.Lock()
	b.listener = listener
	b.mu.Unlock()
}

// Publish hands over the events, if there is somebody who listens.
func (b *Bus) Publish(events []string) {
	b.mu.Lock()
	listening := b.listener != nil
	b.mu.Unlock()
	for _, e := range events {
		if listening {
			b.mu.Lock()
			tell := b.listener
			b.mu.Unlock()
			tell(e) // which may be nil by now
		}
	}
}

func main() {
	b := &Bus{}
	b.Listen(func(event string) { fmt.Println(event) })
	done := make(chan bool)
	go func() {
		b.Publish([]string{"one", "two"})
		done <- true
	}()
	b.Listen(func(event string) { fmt.Println("now", event) })
	<-done
}
