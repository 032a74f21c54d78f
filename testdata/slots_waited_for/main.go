// Command slots_waited_for hands out slots, with the lock of a condition as the only
// lock.
package main

import "sync"

// Slots is a number of slots that are free.
type Slots struct {
	freed *sync.Cond
	free  int
}

// NewSlots returns some slots.
func NewSlots(n int) *Slots {
	return &Slots{freed: sync.NewCond(new(sync.Mutex)), free: n}
}

// wait waits until there is a slot.
func (s *Slots) wait() {
	s.freed.L.Lock()
	defer s.freed.L.Unlock()
	for s.free == 0 {
		s.freed.Wait()
	}
}

// Take takes a slot.
func (s *Slots) Take() {
	s.wait()
	s.freed.L.Lock() // BUG: somebody else may have taken it
	defer s.freed.L.Unlock()
	s.free--
}

// Give gives a slot back.
func (s *Slots) Give() {
	s.freed.L.Lock()
	s.free++
	s.freed.L.Unlock()
	s.freed.Broadcast()
}

func main() {
	slots := NewSlots(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots.Take()
			slots.Give()
		}()
	}
	wg.Wait()
}
