// Command parcels_flag_in_loop_fixed waits for parcels, and keeps in a flag whether there are any.
package main

import "sync"

// Counter is where parcels are handed out.
type Counter struct {
	mu      sync.Mutex
	arrived *sync.Cond // uses mu
	parcels int
	shut    bool
}

// NewCounter returns a counter without parcels.
func NewCounter() *Counter {
	c := &Counter{}
	c.arrived = sync.NewCond(&c.mu)
	return c
}

// some reports whether there is something to do. The caller holds the lock.
func (c *Counter) some() bool { return c.shut || c.parcels > 0 }

// Take waits for a parcel.
func (c *Counter) Take() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for some := c.some(); !some; some = c.some() {
		c.arrived.Wait()
	}
	if c.shut {
		return false
	}
	c.parcels--
	return true
}

// Put puts in a parcel.
func (c *Counter) Put() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parcels++
	c.arrived.Signal()
}

func main() {
	counter := NewCounter()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { counter.Take() })
		wg.Go(counter.Put)
	}
	wg.Wait()
}
