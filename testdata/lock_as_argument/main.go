// Command lock_as_argument sets and reads several sizes at the same time. A
// helper that gets a pointer to the lock calls functions with the lock held. It
// has no bug.
package main

import "sync"

// Size has a width and a height.
type Size struct {
	mu     sync.Mutex
	width  int
	height int
}

// with calls f with mu held.
func with(mu *sync.Mutex, f func()) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

// Grow adds one to the width and the height.
func (s *Size) Grow() {
	with(&s.mu, func() {
		s.width++
		s.height++
	})
}

// Get returns the size.
func (s *Size) Get() (width, height int) {
	with(&s.mu, func() {
		width = s.width
		height = s.height
	})
	return width, height
}

func main() {
	var sizes []*Size
	for range 3 {
		sizes = append(sizes, &Size{})
	}
	var wg sync.WaitGroup
	for _, s := range sizes {
		wg.Go(s.Grow)
		wg.Go(func() { println(s.Get()) })
	}
	wg.Wait()
}
