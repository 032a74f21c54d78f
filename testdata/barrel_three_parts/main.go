// Command barrel_three_parts fills a barrel that may have a limit, which does not count
// while the tap is open.
package main

import "sync"

// Barrel has a level.
type Barrel struct {
	mu    sync.Mutex
	max   int
	level int
	tap   bool
}

// NewBarrel returns an empty barrel.
func NewBarrel(max int) *Barrel {
	return &Barrel{max: max}
}

// Pour adds what a source gives, if there is room.
func (b *Barrel) Pour(source func() int) bool {
	b.mu.Lock()
	if !b.tap && b.max > 0 && b.level >= b.max {
		b.mu.Unlock()
		return false
	}
	b.mu.Unlock()

	amount := source()

	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.tap && b.max > 1 && b.level >= b.max { // BUG: not what was asked before
		return false
	}
	b.level += amount
	return true
}

// Open opens the tap.
func (b *Barrel) Open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tap = true
	b.level = 0
}

func main() {
	barrel := NewBarrel(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { barrel.Pour(func() int { return 1 }) })
	}
	wg.Go(barrel.Open)
	wg.Wait()
}
