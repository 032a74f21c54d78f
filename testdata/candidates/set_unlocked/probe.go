// Package probe sends probes to a host, and counts the answers.
package probe

import "sync"

// Probe has a host, which is set before it is run.
type Probe struct {
	address string

	mu       sync.Mutex
	answers  map[string]int
	interval int
	changes  int
}

// New returns a probe.
func New() *Probe { return &Probe{answers: map[string]int{}} }

// SetHost sets the host.
func (p *Probe) SetHost(name string) {
	p.address = name + ":7"
}

// Host returns the host.
func (p *Probe) Host() string { return p.address }

// Answered counts an answer. That the address is read under the lock says nothing of who sets it.
func (p *Probe) Answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[p.address]++
}

// Answers returns from how many hosts there were some.
func (p *Probe) Answers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.answers)
}

// SetInterval sets the interval, with the lock held: others may run the probe.
func (p *Probe) SetInterval(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.interval = n
	p.changes++
}

// Interval returns the interval, and how often it has changed. BUG: without the lock.
func (p *Probe) Interval() (int, int) { return p.interval, p.changes }

// Double doubles the interval. BUG: without the lock.
func (p *Probe) Double() {
	p.interval *= 2
	p.changes++
}
