// Command error_in_place_fixed reads of the error under the lock.
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

// Status returns the health, and how often it has failed.
func (p *Probe) Status() (string, int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.health == "" {
		return "", 0, fmt.Errorf("not probed yet")
	}
	times := p.fault.(*Fault).times
	return p.health, times, nil
}

// told tells of the last status.
func told(p *Probe) (string, int) {
	health, times, err := p.Status()
	if err != nil {
		return "", 0
	}
	return health, times
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
