// Command try_rlock_fixed looks at a pair with the lock of its readers, or not at all.
package main

import (
	"os"
	"sync"
)

// Pair is two numbers that are set together.
type Pair struct {
	mu   sync.RWMutex
	a, b int
}

func (p *Pair) fill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a = 1
	p.b = 1
}

// isOdd tells whether only one of them is set.
func (p *Pair) isOdd() bool {
	if !p.mu.TryRLock() {
		return false
	}
	defer p.mu.RUnlock()
	a := p.a
	b := p.b
	return a != b
}

func main() {
	p := &Pair{}
	done := make(chan bool)
	go func() {
		p.fill()
		done <- true
	}()
	if p.isOdd() {
		os.Exit(3)
	}
	<-done
}
