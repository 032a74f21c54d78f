// Command in_flight_fixed does what is asked for several times at once only once.
package main

import (
	"fmt"
	"sync"
)

// Group knows what is being done.
type Group struct {
	mu    sync.Mutex
	calls map[string]chan struct{}
}

// Do does the work for a key, or waits for who does it.
func (g *Group) Do(key string, work func()) {
	g.mu.Lock()
	if done, ok := g.calls[key]; ok {
		g.mu.Unlock()
		<-done
		return
	}
	done := make(chan struct{})
	g.calls[key] = done
	g.mu.Unlock()

	work()
	close(done)

	g.mu.Lock()
	delete(g.calls, key)
	g.mu.Unlock()
}

func main() {
	g := &Group{calls: map[string]chan struct{}{}}
	end := make(chan bool)
	go func() {
		g.Do("a", func() { fmt.Println("one") })
		end <- true
	}()
	g.Do("a", func() { fmt.Println("two") })
	<-end
}
