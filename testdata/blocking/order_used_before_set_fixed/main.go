// Command order_used_before_set_fixed: the table is used when it is there.
package main

import (
	"fmt"
	"sync"
)

type table struct{ rows []string }

type store struct {
	mu sync.Mutex
	t  *table
}

func (s *store) load(rows []string) {
	t := &table{rows: rows}
	s.mu.Lock()
	s.t = t
	s.mu.Unlock()
}

func (s *store) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.t.rows)
}

func main() {
	s := &store{}
	loaded := make(chan struct{})
	go func() {
		defer close(loaded)
		s.load([]string{"a", "b"})
	}()
	<-loaded
	fmt.Println(s.size())
}
