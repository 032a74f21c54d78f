// Command removed_if_same_fixed does what is asked for several times at once only once, unless
// what is being done is to be forgotten. Who is done takes out only what is still there.
package main

import (
	"fmt"
	"sync"
)

// Group knows what is being done.
type Group struct {
	mu    sync.Mutex
	calls map[string]*call
}

type call struct{ done chan struct{} }

// Do does the work for a key, or waits for who does it.
func (g *Group) Do(key string, work func()) {
	g.mu.Lock()
	if c, ok := g.calls[key]; ok {
		g.mu.Unlock()
		<-c.done
		return
	}
	c := &call{done: make(chan struct{})}
	g.calls[key] = c
	g.mu.Unlock()

	g.run(c, key, work)
}

func (g *Group) run(c *call, key string, work func()) {
	defer func() {
		close(c.done)
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.calls[key] == c {
			delete(g.calls, key)
		}
	}()
	work()
}

// Forget has the work for a key be done again.
func (g *Group) Forget(key string) {
	g.mu.Lock()
	delete(g.calls, key)
	g.mu.Unlock()
}

func main() {
	g := &Group{calls: map[string]*call{}}
	end := make(chan bool)
	go func() {
		g.Do("a", func() { fmt.Println("one") })
		end <- true
	}()
	g.Forget("a")
	g.Do("a", func() { fmt.Println("two") })
	<-end
}
