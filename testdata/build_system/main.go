// Command build_system counts requests. What guards them depends on the system that it
// is built for.
package main

import "sync"

// Stats is the number of requests and of those that failed.
type Stats struct {
	guard
	requests, failures int
}

// Fail counts a request that has failed.
func (s *Stats) Fail() {
	s.enter()
	defer s.leave()
	s.requests++
	s.failures++
}

func main() {
	s := &Stats{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(s.Fail)
	}
	wg.Wait()
	println(s.requests, s.failures)
}
