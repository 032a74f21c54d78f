// Command condition_per_object has rounds, each with a gate of its own: a condition
// variable with a lock that nobody else has. Fill waits between its two steps.
package main

import (
	"fmt"
	"sync"
)

// Gate counts who is in.
type Gate struct {
	cond *sync.Cond
	in   int
	full bool
}

// NewGate returns an empty gate.
func NewGate() *Gate {
	return &Gate{cond: sync.NewCond(&sync.Mutex{})}
}

// Enter goes in.
func (g *Gate) Enter() {
	g.cond.L.Lock()
	defer g.cond.L.Unlock()
	g.in++
	g.full = g.in > 1
	g.cond.Broadcast()
}

// Fill goes in as the last one.
func (g *Gate) Fill() {
	g.cond.L.Lock()
	defer g.cond.L.Unlock()
	g.in++
	for g.in < 2 {
		g.cond.Wait()
	}
	g.full = true
}

func main() {
	for round := range 2 {
		gate := NewGate()
		done := make(chan bool)
		go func() {
			gate.Fill()
			done <- true
		}()
		gate.Enter()
		<-done
		fmt.Println("round", round)
	}
}
