// Command lock_array takes a measurement while another goroutine reads the last
// one. They take different elements of an array of locks.
package main

import "sync"

// The locks of a sensor.
const (
	forReaders = iota
	forWriters
)

// Sensor has a measurement and the time of it.
type Sensor struct {
	locks [2]sync.Mutex
	value int
	at    int
}

// Set records a measurement.
func (s *Sensor) Set(value, at int) {
	s.locks[forWriters].Lock()
	defer s.locks[forWriters].Unlock()
	s.value = value
	s.at = at
}

// Get returns the last measurement.
func (s *Sensor) Get() (value, at int) {
	s.locks[forReaders].Lock() // keeps out other readers only
	defer s.locks[forReaders].Unlock()
	value = s.value
	at = s.at
	return value, at
}

var outdoor Sensor

func main() {
	go outdoor.Set(21, 1430)
	println(outdoor.Get())
}
