// Command listener_panics_fixed measures in intervals. The listener is told before
// others can see the value; if that panics, Measure counts an error instead.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Sensor has a value and counts errors.
type Sensor struct {
	listener func(value int)

	mu     sync.Mutex
	value  int
	errors int
}

// Measure tells the listener and sets the value.
func (s *Sensor) Measure(value int) {
	defer func() {
		if recover() != nil {
			s.failed()
		}
	}()
	s.listener(value)
	s.set(value)
	time.Sleep(time.Millisecond)
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
