// Command once_func_fixed fills a pair by a function that runs once.
package main

import (
	"os"
	"sync"
)

// Pair is two numbers that are set together.
type Pair struct {
	a, b int
}

func (p *Pair) fill() {
	p.a = 1
	p.b = 1
}

// isOdd tells whether only one of them is set.
func (p *Pair) isOdd() bool {
	a := p.a
	b := p.b
	return a != b
}

func main() {
	p := &Pair{}
	fill := sync.OnceFunc(p.fill)
	done := make(chan bool)
	go func() {
		fill()
		done <- true
	}()
	fill() // or waits until the other has filled it
	if p.isOdd() {
		os.Exit(3)
	}
	<-done
}
