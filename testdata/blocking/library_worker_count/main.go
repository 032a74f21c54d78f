// Package library_worker_count: its clients say how many workers a pool has. Where they say 0, it has
// none: what is submitted waits for ever.
package library_worker_count

import "sync"

// Settings are what a pool is made of.
type Settings struct {
	Workers int
}

// Pool runs functions on its workers.
type Pool struct {
	settings *Settings
	work     chan func()
	mu       sync.Mutex
	done     int
}

// New makes a pool with so many workers.
func New(workers int) *Pool {
	s := &Settings{Workers: workers}
	if s.Workers < 0 {
		s.Workers = 4
	}
	p := &Pool{settings: s, work: make(chan func())}
	for range p.settings.Workers {
		go p.run()
	}
	return p
}

func (p *Pool) run() {
	for f := range p.work {
		f()
		p.mu.Lock()
		p.done++
		p.mu.Unlock()
	}
}

// Submit runs a function on a worker.
func (p *Pool) Submit() {
	p.work <- func() {} // want blocked
}

// Done tells how many functions have run.
func (p *Pool) Done() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done
}
