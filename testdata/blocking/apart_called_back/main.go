// Program apart_called_back: Each of many goroutines makes what it needs, and calls functions that could be any. Another
// function of their type uses a package variable, but they do not call that one.
package main

import "sync"

var total int

func count() { total++ }

type gate struct {
	mu   sync.Mutex
	open func()
}

func (g *gate) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open()
}

func visit() {
	g := &gate{}
	g.open = func() {
		g.mu.Lock() // want deadlock
		g.mu.Unlock()
	}
	g.enter()
}

func run(f func()) { f() }

func main() {
	run(count)
	for range 100 {
		go visit()
	}
	println(total)
}
