// Program read_write_read_map: An entry of a map takes the read lock under which the map is gone through, and a writer comes
// in between.
package main

import (
	"fmt"
	"os"
	"sync"
)

type store struct {
	mu       sync.RWMutex
	replicas map[string]*replica
}

type replica struct{ of *store }

func (s *store) each() {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, r := range s.replicas {
		r.status()
	}
}

func (r *replica) status() int {
	r.of.mu.RLock() // want deadlock
	defer r.of.mu.RUnlock()
	return len(r.of.replicas)
}

func (s *store) add() {
	s.mu.Lock() // want deadlock
	defer s.mu.Unlock()
	fmt.Println("added")
}

func main() {
	s := &store{replicas: map[string]*replica{}}
	s.replicas[os.Getenv("ONE")] = &replica{s}
	s.replicas[os.Getenv("OTHER")] = &replica{s}
	var done sync.WaitGroup
	done.Add(2)
	go func() {
		defer done.Done()
		s.each()
	}()
	go func() {
		defer done.Done()
		s.add()
	}()
	done.Wait()
}
