// Command removed_if_same does what is asked for several times at once only once, unless what
// is being done is to be forgotten. Who is done looks whether it is still there, lets go of the
// lock, and takes out what is there then.
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
		same := g.calls[key] == c
		g.mu.Unlock()
		if same {
			g.Forget(key)
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
