// Command whole_struct_copied_fixed copies a struct whose lock is behind a pointer.
package main

import "sync"

// Position is where something is; copies share the lock.
type Position struct {
	mu   *sync.Mutex
	x, y int
}

func (p *Position) Move(x, y int) {
	p.mu.Lock()
	p.x = x
	p.y = y
	p.mu.Unlock()
}

func (p *Position) Copy() Position {
	p.mu.Lock()
	defer p.mu.Unlock()
	return *p
}

func main() {
	p := &Position{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	wg.Go(func() { p.Move(1, 2) })
	wg.Go(func() {
		c := p.Copy()
		println(c.x, c.y)
	})
	wg.Wait()
}
