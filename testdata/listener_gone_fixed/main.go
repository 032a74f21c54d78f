// Command listener_gone_fixed hands each event to who listens then.
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

// Publish hands over each of the events, if there is somebody who listens.
func (b *Bus) Publish(events []string) {
	for _, e := range events {
		b.mu.Lock()
		tell := b.listener
		b.mu.Unlock()
		if tell != nil {
			tell(e)
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
	b.Listen(nil)
	<-done
}
