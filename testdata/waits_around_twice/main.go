// Command waits_around_twice runs jobs, so many at a time as it is told to.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Pool bounds how many jobs run.
type Pool struct {
	mu      sync.Mutex
	freed   *sync.Cond
	limit   int // none if negative
	busy    atomic.Int32
	waiting int
}

// NewPool returns a pool with a limit.
func NewPool(limit int) *Pool {
	p := &Pool{limit: limit}
	p.freed = sync.NewCond(&p.mu)
	return p
}

func (p *Pool) running() int { return int(p.busy.Load()) }

// Acquire waits until two more jobs may run, one after the other. The limit that let in the
// first of them need not be the one that lets in the second.
func (p *Pool) Acquire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.enter()
	p.enter()
}

// enter waits until one more job may run: each time it looks again.
func (p *Pool) enter() {
	for {
		if limit := p.limit; limit < 0 || p.running() < limit {
			p.busy.Add(1)
			return
		}
		p.waiting++
		p.freed.Wait()
		p.waiting--
	}
}

// Release tells that a job has ended.
func (p *Pool) Release() {
	p.busy.Add(-1)
	p.freed.Signal()
}

// Tune changes the limit.
func (p *Pool) Tune(limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = limit
	p.freed.Broadcast()
}

func main() {
	p := NewPool(2)
	p.Acquire()
	done := make(chan bool)
	go func() {
		p.Acquire()
		done <- true
	}()
	p.Tune(4)
	<-done
	p.Release()
	fmt.Println("tuned")
}
