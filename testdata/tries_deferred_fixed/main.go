// Command tries_deferred_fixed waits for a door to be open; the closure that runs when it leaves
// knows how long it was told to wait, not how often it tried.
package main

import (
	"sync"
	"time"
)

// Door is open or not; slow says that somebody had to wait for long.
type Door struct {
	mu         sync.Mutex
	open, slow bool
}

// Pass waits for the door.
func (d *Door) Pass() {
	d.mu.Lock()
	defer d.mu.Unlock()
	pause := time.Duration(0)
	defer func() {
		if pause > time.Second {
			d.slow = true
		}
	}()
	pause = time.Millisecond
	for !d.open {
		d.mu.Unlock()
		time.Sleep(pause)
		d.mu.Lock()
	}
}

// Open opens the door, which is not slow then.
func (d *Door) Open() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = true
	d.slow = false
}

func main() {
	d := &Door{}
	var wg sync.WaitGroup
	wg.Go(d.Pass)
	wg.Go(d.Open)
	wg.Wait()
	println(d.slow)
}
