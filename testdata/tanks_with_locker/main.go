// Command tanks_with_locker moves water between the two chambers of a lock in a
// canal. Its Locker is embedded.
package main

import "sync"

// Canal has two chambers, and the water in both is always the same together.
type Canal struct {
	sync.Locker
	upper int
	lower int
}

// NewCanal returns a canal that is safe for use by many.
func NewCanal(water int) *Canal {
	return &Canal{Locker: new(sync.Mutex), upper: water}
}

// Lower lets water down.
func (c *Canal) Lower(water int) {
	c.Lock()
	water = min(water, c.upper)
	c.upper -= water
	c.Unlock()
	c.Lock() // BUG: the water is nowhere until here
	c.lower += water
	c.Unlock()
}

// Water returns how much there is.
func (c *Canal) Water() int {
	c.Lock()
	defer c.Unlock()
	return c.lower + c.upper
}

func main() {
	canal := NewCanal(10)
	lowered := make(chan struct{})
	go func() {
		canal.Lower(3)
		canal.Lower(4)
		close(lowered)
	}()
	for i := 0; i < 3; i++ {
		if canal.Water() > 10 {
			panic("flood")
		}
	}
	<-lowered
	if canal.Water() != 10 {
		panic("drought")
	}
}
