// Command signalled_by_reflection waits for one message, of which there are two: one is
// sent by reflection.
package main

import "reflect"

// Stats is a sum and how many numbers it is of.
type Stats struct {
	sum, count int
}

// Add adds a number.
func (s *Stats) Add(n int) {
	s.sum += n
	s.count++
}

func main() {
	s := &Stats{}
	done := make(chan bool, 2)
	go func() {
		s.Add(1)
		done <- true
	}()
	reflect.ValueOf(done).Send(reflect.ValueOf(true)) // before the other one is done
	<-done
	s.Add(2)
	<-done
}
