// Program two_locks_parent_child_fixed: the mended two_locks_parent_child.
package main

import (
	"fmt"
	"sync"
)

type parent struct {
	mu    sync.Mutex
	child *child
	n     int
}

type child struct {
	mu     sync.Mutex
	parent *parent
	n      int
}

func (p *parent) Sum() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.child.mu.Lock()
	defer p.child.mu.Unlock()
	return p.n + p.child.n
}

func (c *child) Report() {
	c.parent.mu.Lock()
	defer c.parent.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parent.n += c.n
}

func main() {
	p := &parent{}
	p.child = &child{parent: p, n: 1}
	done := make(chan bool)
	go func() {
		p.child.Report()
		close(done)
	}()
	fmt.Println(p.Sum())
	<-done
}
