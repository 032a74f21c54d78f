// Command tries_deferred waits for a door to be open, and notes when it leaves if it has tried
// often.
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
	tries := 0
	defer func() {
		if tries > 3 {
			d.slow = true
		}
	}()
	for !d.open {
		tries++
		d.mu.Unlock()
		time.Sleep(time.Millisecond)
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
