// Command join_captured_counter_fixed counts the goroutines that it starts and those that
// have finished in three-part loops; their closures capture the counter.
package main

import (
	"fmt"
	"sync"
)

// Stats is how many jobs were done, and what they cost in all.
type Stats struct {
	mu   sync.Mutex
	jobs int
	cost int
}

// Note counts a job.
func (s *Stats) Note(cost int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs++
	s.cost += cost
}

func main() {
	stats := &Stats{}
	const n = 3
	done := make(chan int, n)
	for i := 0; i < n; i++ {
		go func() {
			stats.Note(10 * i)
			done <- i
		}()
	}
	for i := 0; i < n; i++ {
		<-done
		defer func() { fmt.Println("job", i) }()
	}
	jobs := stats.jobs
	cost := stats.cost
	if cost > 30*jobs {
		fmt.Println("too expensive")
	}
}
