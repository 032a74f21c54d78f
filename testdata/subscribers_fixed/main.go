// Command subscribers_fixed hands each of the news to who has subscribed by then.
package main

import (
	"fmt"
	"sync"
)

// Feed hands news to subscribers.
type Feed struct {
	mu          sync.RWMutex
	subscribers map[string]func(text string)
}

// Subscribe adds a subscriber.
func (f *Feed) Subscribe(name string, tell func(text string)) {
	f.mu.Lock()
	f.subscribers[name] = tell
	f.mu.Unlock()
}

// Publish hands over the news.
func (f *Feed) Publish(news ...string) {
	for _, text := range news {
		f.publish(text)
	}
}

func (f *Feed) publish(text string) {
	f.mu.RLock()
	for _, tell := range f.subscribers {
		tell(text)
	}
	f.mu.RUnlock()
}

func main() {
	f := &Feed{subscribers: map[string]func(string){}}
	f.Subscribe("a", func(text string) { fmt.Println("a", text) })
	done := make(chan bool)
	go func() {
		f.Publish("one", "two")
		done <- true
	}()
	f.Subscribe("b", func(text string) { fmt.Println("b", text) })
	<-done
}
