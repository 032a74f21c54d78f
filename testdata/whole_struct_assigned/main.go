// Command whole_struct_assigned resets statistics by an assignment to the whole struct.
package main

import "sync"

// Stats is what a server counts; lock guards it.
type Stats struct {
	requests, failures int
}

var lock sync.Mutex

func (s *Stats) Fail() {
	lock.Lock()
	defer lock.Unlock()
	s.requests++
	s.failures++
}

func (s *Stats) Reset() {
	*s = Stats{} // without the lock
}

func main() {
	stats := &Stats{}
	var wg sync.WaitGroup
	wg.Go(stats.Fail)
	wg.Go(stats.Reset)
	wg.Wait()
	println(stats.requests, stats.failures)
}
