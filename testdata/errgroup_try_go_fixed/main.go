// Command errgroup_try_go_fixed fills a pair on a goroutine of a group, and looks at it when that has ended.
package main

import (
	"os"

	"golang.org/x/sync/errgroup"
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
	var g errgroup.Group
	g.SetLimit(1)
	started := g.TryGo(func() error {
		p.fill()
		return nil
	})
	if !started || g.Wait() != nil {
		return
	}
	if p.isOdd() {
		os.Exit(3)
	}
}
