// A gauge keeps a value and how often it was set. What cannot be is reported by a
// panic that no caller can recover from: on a goroutine of its own.
package main

import (
	"fmt"
	"sync"
)

// Gauge is a value and how often it was set.
type Gauge struct {
	mu    sync.Mutex
	value int
	sets  int
}

// Set sets the value.
func (g *Gauge) Set(v int) {
	if v < 0 {
		go panic("gauge: negative")
	}
	g.mu.Lock()
	g.value = v
	g.mu.Unlock()
	g.mu.Lock() // BUG: the value has been set and is not counted
	g.sets++
	g.mu.Unlock()
}

// Get returns both.
func (g *Gauge) Get() (value, sets int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	value = g.value
	sets = g.sets
	return value, sets
}

func main() {
	gauge := &Gauge{}
	var group sync.WaitGroup
	group.Go(func() { gauge.Set(3) })
	fmt.Println(gauge.Get())
	group.Wait()
}
