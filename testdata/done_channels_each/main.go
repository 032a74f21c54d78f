// Command done_channels_each has workers that each close a channel of their own when they
// are done. main waits only for those that were started after the first.
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
	var dones []chan struct{}
	for i := 0; i < 3; i++ {
		done := make(chan struct{})
		dones = append(dones, done)
		go func() {
			defer close(done)
			stats.Note(10 * i)
		}()
	}
	for _, done := range dones[1:] {
		<-done
	}
	jobs := stats.jobs
	cost := stats.cost
	if cost > 30*jobs {
		fmt.Println("too expensive")
	}
}
