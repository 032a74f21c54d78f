// Command go_constructor_fixed makes a station in the background. The
// constructor registers it when it is complete.
package main

import "sync"

// Station has a position.
type Station struct {
	x int
	y int
}

var registry = struct {
	mu       sync.Mutex
	stations map[int]*Station
}{stations: map[int]*Station{}}

// newStation returns a station; the one on the air, number 1, is registered.
func newStation(id int) *Station {
	s := &Station{}
	s.x = id
	s.y = id
	if id == 1 {
		s.Move(10*id, 20*id)
		registry.mu.Lock()
		registry.stations[id] = s
		registry.mu.Unlock()
	}
	return s
}

// Move changes the position.
func (s *Station) Move(x, y int) {
	s.x = x
	s.y = y
}

// Get returns the position.
func (s *Station) Get() (x, y int) {
	x = s.x
	y = s.y
	return x, y
}

func main() {
	spare := newStation(2)
	println(spare.Get())
	go newStation(1)

	registry.mu.Lock()
	s := registry.stations[1]
	registry.mu.Unlock()
	if s != nil {
		println(s.Get())
	}
}
