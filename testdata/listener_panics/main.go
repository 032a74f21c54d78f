// Command listener_panics measures and tells a listener. If that panics, Measure
// counts an error, after others could see the value without it.
package main

import (
	"fmt"
	"sync"
)

// Sensor has a value and counts errors.
type Sensor struct {
	listener func(value int)

	mu     sync.Mutex
	value  int
	errors int
}

// Measure sets the value and tells the listener.
func (s *Sensor) Measure(value int) {
	defer func() {
		if recover() != nil {
			s.failed()
		}
	}()
	s.set(value)
	s.listener(value)
}

func (s *Sensor) set(value int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = value
}

func (s *Sensor) failed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors++
}

// State returns the value and the number of errors.
func (s *Sensor) State() (value, errors int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value = s.value
	errors = s.errors
	return value, errors
}

func main() {
	sensor := &Sensor{listener: func(value int) {
		if value < 0 {
			panic("the value is negative")
		}
	}}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := range 3 {
			sensor.Measure(1 - i)
		}
	}()
	go func() {
		defer wg.Done()
		fmt.Println(sensor.State())
	}()
	wg.Wait()
}
