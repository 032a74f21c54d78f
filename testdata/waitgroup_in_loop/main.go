// Command waitgroup_in_loop asks for the position twice and prints it. Each
// iteration has a wait group of its own, and only that of the last is waited
// for.
package main

import "sync"

// Position is a point in the plane.
type Position struct {
	x int
	y int
}

// Set moves the position.
func (p *Position) Set(x, y int) {
	p.x = x
	p.y = y
}

// Get returns the position.
func (p *Position) Get() (x, y int) {
	x = p.x
	y = p.y
	return x, y
}

func main() {
	p := &Position{}
	for i := 0; ; i++ {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.Set(i, -i)
		}()
		if i == 1 {
			wg.Wait() // the first goroutine may still be busy
			break
		}
	}
	println(p.Get())
}
