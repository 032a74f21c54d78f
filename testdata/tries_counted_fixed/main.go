// Command tries_counted_fixed waits for a door to be open, for a while.
package main

import (
	"sync"
	"time"
)

// Door is open or not; passed says that somebody has come through.
type Door struct {
	mu           sync.Mutex
	open, passed bool
}

// Pass waits for the door.
func (d *Door) Pass() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.open {
		d.mu.Unlock()
		time.Sleep(time.Millisecond)
		d.mu.Lock()
	}
	d.passed = true
}

// Open opens the door, through which nobody has come then.
func (d *Door) Open() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = true
	d.passed = false
}

func main() {
	d := &Door{}
	var wg sync.WaitGroup
	wg.Go(d.Pass)
	wg.Go(d.Open)
	wg.Wait()
	println(d.passed)
}
