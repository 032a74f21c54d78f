// Command cond_queue_fixed passes values through a queue whose readers wait on a condition
// variable.
package main

import (
	"fmt"
	"sync"
)

// Slot holds one value for a reader.
type Slot struct {
	mu    sync.Mutex
	cond  *sync.Cond
	full  bool
	value int
}

// NewSlot returns an empty slot.
func NewSlot() *Slot {
	s := &Slot{}
	s.cond = sync.NewCond(&s.mu)
	return s
}

// Put fills the slot.
func (s *Slot) Put(value int) {
	s.mu.Lock()
	s.full = true
	s.value = value
	s.mu.Unlock()
	s.cond.Broadcast()
}

// Get empties the slot.
func (s *Slot) Get() int {
	s.mu.Lock()
	for !s.full {
		s.cond.Wait()
	}
	value := s.value
	s.full = false
	s.mu.Unlock()
	return value
}

func main() {
	s := NewSlot()
	var wg sync.WaitGroup
	wg.Go(func() { fmt.Println(s.Get()) })
	s.Put(1)
	wg.Wait()
}
