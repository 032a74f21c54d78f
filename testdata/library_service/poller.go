// Package poller asks for something again and again.
package poller

import (
	"sync"
	"time"
)

// Poller has the last answer.
type Poller struct {
	ask   func() string
	every time.Duration
	stop  chan struct{}

	mu     sync.Mutex
	answer string
	asked  int
}

// New returns a poller that asks once in a while, to be started.
func New(ask func() string, every time.Duration) *Poller {
	return &Poller{ask: ask, every: every, stop: make(chan struct{})}
}

// Start asks again and again. It blocks until Stop is called.
func (p *Poller) Start() {
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.poll()
		}
	}
}

// Stop ends Start.
func (p *Poller) Stop() { close(p.stop) }

func (p *Poller) poll() {
	answer := p.ask()
	p.mu.Lock()
	p.answer = answer
	p.mu.Unlock()

	p.mu.Lock() // BUG: the new answer has the old number
	p.asked++
	p.mu.Unlock()
}

// Answer returns the last answer, and how many there were before it.
func (p *Poller) Answer() (string, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answer, p.asked - 1
}
