// Command signalled_by_reflection_fixed waits for one message, and there is one.
package main

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
	<-done
	s.Add(2)
}
