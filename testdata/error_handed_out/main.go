// Command error_handed_out hands out an error that is changed in place later.
package main

import (
	"fmt"
	"sync"
)

// Problem is an error that is told how often it has happened.
type Problem struct {
	text  string
	times int
}

// Error is the text.
func (p *Problem) Error() string { return p.text }

// Target is something that is probed.
type Target struct {
	mu     sync.Mutex
	health string
	err    error
}

// Report notes the result of a probe.
func (t *Target) Report(health string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.health = health
	if p, ok := t.err.(*Problem); ok {
		p.times++
	}
}

// Status returns the result of the last probe.
func (t *Target) Status() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	health := t.health
	err := t.err
	return health, err
}

// isFine tells whether a health goes with its error.
func isFine(t *Target) bool {
	health, err := t.Status()
	p, ok := err.(*Problem)
	return health == "unknown" && ok && p.times == 0 // without the lock
}

func main() {
	t := &Target{health: "unknown", err: &Problem{text: "timeout"}}
	done := make(chan bool)
	go func() {
		t.Report("bad")
		t.Report("worse")
		close(done)
	}()
	fmt.Println(isFine(t))
	<-done
}
