// Command lock_from_caller_fixed makes a meter for each round, with a lock that it hands to
// the constructor.
package main

import (
	"fmt"
	"sync"
)

// Meter is a reading with its unit.
type Meter struct {
	mu    *sync.Mutex
	value int
	unit  string
}

// NewMeter returns a meter that is guarded by the lock.
func NewMeter(mu *sync.Mutex) *Meter { return &Meter{mu: mu} }

// Note stores a reading.
func (m *Meter) Note(value int, unit string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.value = value
	m.unit = unit
}

// Get returns the reading.
func (m *Meter) Get() (int, string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value := m.value
	unit := m.unit
	return value, unit
}

func main() {
	for range 2 {
		meter := NewMeter(&sync.Mutex{})
		done := make(chan bool)
		go func() {
			meter.Note(3, "m")
			done <- true
		}()
		if value, unit := meter.Get(); value > 0 && unit == "" {
			panic("no unit")
		}
		<-done
	}
	fmt.Println("done")
}
