package main

import "sync"

// Pool counts connections.
type Pool struct {
	mu   *sync.Mutex
	free int
	used int
}

// NewPool returns a pool of free connections.
func NewPool(free int) *Pool {
	return &Pool{mu: new(sync.Mutex), free: free}
}

// Take takes a free connection, if there is one.
func (p *Pool) Take() bool {
	mu := p.mu
	mu.Lock()
	defer mu.Unlock()
	if p.free == 0 {
		return false
	}
	p.free--
	p.used++
	return true
}

// Reset makes all connections free. It replaces the lock as well, so it does
// not exclude a Take that holds the old one.
func (p *Pool) Reset(free int) {
	mu := new(sync.Mutex)
	p.mu = mu // somebody may hold the old one
	mu.Lock()
	defer mu.Unlock()
	p.free = free
	p.used = 0
}
