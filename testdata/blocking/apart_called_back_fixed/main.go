// Program apart_called_back_fixed: The mended apart_called_back.
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
	g.mu.Unlock()
	g.open()
}

func visit() {
	g := &gate{}
	g.open = func() {
		g.mu.Lock()
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
