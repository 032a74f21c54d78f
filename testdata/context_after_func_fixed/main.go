// Command context_after_func_fixed fills a pair when a context is done, and looks at it when that has been done.
package main

import (
	"context"
	"os"
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
	done := make(chan bool)
	ctx, cancel := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() {
		p.fill()
		done <- true
	})
	cancel()
	<-done
	if p.isOdd() {
		os.Exit(3)
	}
}
