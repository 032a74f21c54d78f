// Command spawn_helper_fixed starts goroutines through helper functions and an interface.
package main

import "sync"

// Clock is hours and minutes.
type Clock struct {
	mu             sync.Mutex
	hours, minutes int
}

func (c *Clock) Set(hours, minutes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hours = hours
	c.minutes = minutes
}

func (c *Clock) Get() (int, int) {
	c.mu.Lock()
	hours := c.hours
	minutes := c.minutes
	c.mu.Unlock()
	return hours, minutes
}

type executor interface{ execute(func()) }

type plain struct{ wg *sync.WaitGroup }

func (p plain) execute(f func()) { spawn(p.wg, f) }

type counted struct {
	executor
	n int
}

func (c *counted) execute(f func()) {
	c.n++
	c.executor.execute(f)
}

func spawn(wg *sync.WaitGroup, f func()) {
	wg.Add(1)
	go run(wg, f)
}

func run(wg *sync.WaitGroup, f func()) {
	defer wg.Done()
	f()
}

func main() {
	c := &Clock{}
	var wg sync.WaitGroup
	var e executor = &counted{executor: plain{&wg}}
	e.execute(func() { c.Set(1, 2) })
	e.execute(func() { println(c.Get()) })
	wg.Wait()
}
