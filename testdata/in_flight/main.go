// Command in_flight does what is asked for several times at once only once. What is to be
// forgotten while it is done is not the same when it is done.
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
	delete(g.calls, key) // which may be another one by now
	g.mu.Unlock()
}

// Forget has the work for a key be done again.
func (g *Group) Forget(key string) {
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
	g.Forget("a")
	g.Do("a", func() { fmt.Println("two") })
	<-end
}
