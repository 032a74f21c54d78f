// Command sleeps_until_fixed drops what has expired.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Store keeps entries until all of them are due.
type Store struct {
	mu      sync.Mutex
	entries []string
	due     time.Time
}

// Add puts an entry in, so that it takes longer until all are due.
func (s *Store) Add(entry string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries = append(s.entries, entry)
	s.due = time.Now().Add(time.Millisecond)
}

// Expire waits until the entries are due and drops them.
func (s *Store) Expire() {
	s.mu.Lock()
	d := time.Until(s.due)
	if d > 0 {
		s.mu.Unlock()
		time.Sleep(d)
		s.mu.Lock()
	}
	s.entries = nil
	s.mu.Unlock()
}

func main() {
	s := &Store{}
	s.Add("first")
	done := make(chan bool)
	go func() {
		s.Expire()
		done <- true
	}()
	s.Add("second")
	<-done
	fmt.Println("expired")
}
