// Command waits_around_kept runs jobs, so many at a time as it is told to.
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
	last    int // the limit that the last one to get in saw
}

// NewPool returns a pool with a limit.
func NewPool(limit int) *Pool {
	p := &Pool{limit: limit}
	p.freed = sync.NewCond(&p.mu)
	return p
}

func (p *Pool) running() int { return int(p.busy.Load()) }

// Acquire waits until one more job may run, and keeps the limit that it has seen. That is
// the one before the last wait, which may be another one.
func (p *Pool) Acquire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := 0
	for {
		if limit := p.limit; limit < 0 || p.running() < limit {
			break
		}
		seen = p.limit
		p.waiting++
		p.freed.Wait()
		p.waiting--
	}
	p.busy.Add(1)
	p.last = seen
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
	p := NewPool(1)
	p.Acquire()
	done := make(chan bool)
	go func() {
		p.Acquire()
		done <- true
	}()
	p.Tune(2)
	<-done
	p.Release()
	fmt.Println("tuned")
}
