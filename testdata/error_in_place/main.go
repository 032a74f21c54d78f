// Command error_in_place returns an error that is changed in place later.
package main

import (
	"fmt"
	"sync"
)

// Fault is an error that counts how often it has happened.
type Fault struct{ times int }

// Error says how often.
func (f *Fault) Error() string { return fmt.Sprint(f.times, " times") }

// Probe looks after something, and knows its last fault.
type Probe struct {
	mu     sync.Mutex
	health string
	fault  error
}

// Fail notes that it has failed again.
func (p *Probe) Fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.health = "bad"
	p.fault.(*Fault).times++
}

// Status returns the health and the last fault.
func (p *Probe) Status() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	health := p.health
	if health == "" {
		health = "unknown"
	}
	return health, p.fault
}

// told reads of the fault when nobody holds the lock.
func told(p *Probe) (string, int) {
	health, err := p.Status()
	if f, ok := err.(*Fault); ok {
		return health, f.times
	}
	return health, 0
}

func main() {
	p := &Probe{health: "good", fault: &Fault{}}
	done := make(chan bool)
	go func() {
		p.Fail()
		close(done)
	}()
	fmt.Println(told(p))
	<-done
}
