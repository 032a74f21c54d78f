// Command session_registry_fixed keeps sessions in a map. The map has a lock, and so has
// each session.
package main

import (
	"fmt"
	"sync"
)

type session struct {
	mu   sync.Mutex
	hits int
	last string
	seen map[string]int // by page
}

func (s *session) touch(page string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits++
	s.last = page
	s.seen[page]++
}

// Registry is the sessions by name, and how many were opened.
type Registry struct {
	mu       sync.Mutex
	sessions map[string]*session
	opened   int
}

// Open adds a session.
func (r *Registry) Open(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions[name] = &session{seen: map[string]int{}}
	r.opened++
}

func (r *Registry) find(name string) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions[name]
}

// Touch counts a hit of a page in a session.
func (r *Registry) Touch(name, page string) {
	r.find(name).touch(page)
}

func main() {
	r := &Registry{sessions: map[string]*session{}}
	r.Open("a")
	r.Open("b")
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "a"} {
		wg.Go(func() { r.Touch(name, "home") })
	}
	wg.Wait()
	fmt.Println("done")
}
