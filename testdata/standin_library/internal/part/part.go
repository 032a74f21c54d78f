// Package part has pairs of numbers.
package part

import "sync"

// Right is two numbers that are the same.
type Right struct {
	mu   sync.Mutex
	a, b int
}

// NewRight returns a pair.
func NewRight() *Right { return &Right{} }

// Set sets both.
func (p *Right) Set(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = v, v
}

// IsSame tells whether they are the same.
func (p *Right) IsSame() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a == p.b
}

// Wrong is two numbers, which are set one after the other.
type Wrong struct {
	mu   sync.Mutex
	a, b int
}

// NewWrong returns a pair.
func NewWrong() *Wrong { return &Wrong{} }

// Set sets both.
func (p *Wrong) Set(v int) {
	p.mu.Lock()
	p.a = v
	p.mu.Unlock()
	p.mu.Lock()
	p.b = v
	p.mu.Unlock()
}

// IsSame tells whether they are the same.
func (p *Wrong) IsSame() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a == p.b
}

// Zero is two numbers that are the same. Others make it without NewZero.
type Zero struct {
	mu   sync.Mutex
	a, b int
}

// NewZero returns a pair.
func NewZero() *Zero { return &Zero{a: 1, b: 1} }

// Set sets both.
func (p *Zero) Set(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = v, v
}

// IsSame tells whether they are the same.
func (p *Zero) IsSame() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a == p.b
}
