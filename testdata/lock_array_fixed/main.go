// Command lock_array_fixed takes a measurement while another goroutine reads
// the last one.
package main

import "sync"

// Sensor has a measurement and the time of it.
type Sensor struct {
	mu    sync.Mutex
	value int
	at    int
}

// Set records a measurement.
func (s *Sensor) Set(value, at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = value
	s.at = at
}

// Get returns the last measurement.
func (s *Sensor) Get() (value, at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value = s.value
	at = s.at
	return value, at
}

var outdoor Sensor

func main() {
	go outdoor.Set(21, 1430)
	println(outdoor.Get())
}
