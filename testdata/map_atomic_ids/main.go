// Command map_atomic_ids keeps sessions in a map, by numbers from an atomic counter that goes round.
package main

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
)

// Store is the sessions.
type Store struct {
	last     atomic.Int64
	mu       sync.RWMutex
	sessions map[string]string
}

func (s *Store) newID() int64 { return s.last.Add(1) % 2 }

// Put changes a session.
func (s *Store) put(id, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[id] = value
}

func (s *Store) get(id string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.sessions[id]
}

// Run runs a session.
func (s *Store) Run(user string) {
	id := strconv.Itoa(int(s.newID()))
	s.put(id, user)
	s.put(id, s.get(id)+" was here")
	fmt.Println(s.get(id))
}

func main() {
	s := &Store{sessions: map[string]string{}}
	var wg sync.WaitGroup
	for _, user := range []string{"a", "b", "c"} {
		wg.Go(func() { s.Run(user) })
	}
	wg.Wait()
}
