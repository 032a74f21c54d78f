// Command atomic_bits_fixed has a gate that counts how often one of its doors is opened, under a lock.
package main

import (
	"os"
	"sync"
	"sync/atomic"
)

// Gate is doors, as bits that are set if they are open, and how often that was done.
type Gate struct {
	mu    sync.Mutex
	open  atomic.Uint32
	count atomic.Int64
}

// Open opens a door.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open.Or(4)
	g.count.Add(1)
}

// IsOdd tells whether a door is open that nobody has opened.
func (g *Gate) IsOdd() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	open := g.open.Load()
	count := g.count.Load()
	return open != 0 && count == 0
}

func main() {
	g := &Gate{}
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		g.Open()
	}()
	if g.IsOdd() {
		os.Exit(3)
	}
	done.Wait()
}
