// Command waitgroup_in_loop_fixed asks for the position twice and prints it.
// Each iteration waits for its goroutine.
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
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.Set(i, -i)
		}()
		wg.Wait()
	}
	println(p.Get())
}
