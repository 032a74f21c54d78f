// Command wait_in_helper starts goroutines by a method and waits for them by
// another one. It has no bug.
package main

import "sync"

// Size has a width and a height. It is not safe for concurrent use.
type Size struct {
	width  int
	height int
}

// Set changes the size.
func (s *Size) Set(width, height int) {
	s.width = width
	s.height = height
}

// Get returns the size.
func (s *Size) Get() (width, height int) {
	width = s.width
	height = s.height
	return width, height
}

// tasks is a group of goroutines.
type tasks struct{ wg sync.WaitGroup }

// run starts a goroutine.
func (t *tasks) run(f func()) {
	t.wg.Add(1)
	go func() {
		defer t.wg.Done()
		f()
	}()
}

// wait returns when all goroutines are done.
func (t *tasks) wait() { t.wg.Wait() }

func main() {
	size := &Size{}
	t := &tasks{}
	t.run(func() { size.Set(3, 4) })
	t.wait()
	println(size.Get())
}
