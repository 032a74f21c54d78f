// Package library_worker_count_fixed: the mended library_worker_count. Where clients say 0, the pool has workers
// all the same: there is always one.
package library_worker_count_fixed

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
	if s.Workers <= 0 {
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
	p.work <- func() {}
}

// Done tells how many functions have run.
func (p *Pool) Done() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done
}
