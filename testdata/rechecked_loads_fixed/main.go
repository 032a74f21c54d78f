// Command rechecked_loads_fixed raises the limit of a pool.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Pool bounds how many jobs run.
type Pool struct {
	mu    sync.RWMutex
	limit int
	busy  atomic.Int32
}

func (p *Pool) running() int { return int(p.busy.Load()) }

// Start runs one more job.
func (p *Pool) Start() { p.busy.Add(1) }

// Grow raises the limit, unless it is that high already, or no job runs that needs it.
func (p *Pool) Grow(limit int, needed bool) {
	p.mu.RLock()
	low := p.limit < limit
	p.mu.RUnlock()
	if !low || needed && p.running() == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit < limit {
		p.limit = limit
	}
}

func main() {
	p := &Pool{limit: 1}
	p.Start()
	done := make(chan bool)
	go func() {
		p.Grow(2, true)
		done <- true
	}()
	p.Grow(3, false)
	<-done
	fmt.Println(p.limit)
}
