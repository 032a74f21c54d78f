// Program read_write_read_map_fixed: An entry of a map is asked when the read lock is held already, and takes none.
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
	return len(r.of.replicas)
}

func (s *store) add() {
	s.mu.Lock()
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
