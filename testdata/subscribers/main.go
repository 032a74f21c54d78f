// Command subscribers tells its subscribers how many there were before.
package main

import (
	"fmt"
	"sync"
)

// Feed hands news to subscribers.
type Feed struct {
	mu          sync.RWMutex
	subscribers map[string]func(text string, readers int)
}

// Subscribe adds a subscriber.
func (f *Feed) Subscribe(name string, tell func(text string, readers int)) {
	f.mu.Lock()
	f.subscribers[name] = tell
	f.mu.Unlock()
}

// Publish hands over the news, and how many get it.
func (f *Feed) Publish(news ...string) {
	f.mu.RLock()
	readers := len(f.subscribers)
	f.mu.RUnlock()
	for _, text := range news {
		f.publish(text, readers)
	}
}

func (f *Feed) publish(text string, readers int) {
	f.mu.RLock()
	for _, tell := range f.subscribers { // not as many as there were
		tell(text, readers)
	}
	f.mu.RUnlock()
}

func main() {
	f := &Feed{subscribers: map[string]func(string, int){}}
	f.Subscribe("a", func(text string, readers int) { fmt.Println("a", text, readers) })
	done := make(chan bool)
	go func() {
		f.Publish("one", "two")
		done <- true
	}()
	f.Subscribe("b", func(text string, readers int) { fmt.Println("b", text, readers) })
	<-done
}
