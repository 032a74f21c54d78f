// Command halves adds up what sessions of a registry have, one half after the other. How
// many there are is counted apart from them.
package main

import (
	"fmt"
	"sync"
)

// Session counts what it is asked for, and has a lock for that.
type Session struct {
	mu   sync.Mutex
	hits int
}

// Hit counts one.
func (s *Session) Hit() {
	s.mu.Lock()
	s.hits++
	s.mu.Unlock()
}

// Registry is the sessions, and how many there are.
type Registry struct {
	mu       sync.Mutex
	sessions map[string]*Session
	count    int
}

// Open adds a session.
func (r *Registry) Open(name string) {
	r.mu.Lock()
	r.sessions[name] = &Session{}
	r.mu.Unlock()
	r.mu.Lock() // others may have looked
	r.count++
	r.mu.Unlock()
}

// HitAll hits all sessions and returns how many there are.
func (r *Registry) HitAll() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []*Session
	for _, s := range r.sessions {
		all = append(all, s)
	}
	hit(all)
	return r.count
}

func hit(all []*Session) {
	switch len(all) {
	case 0:
	case 1:
		all[0].Hit()
	default:
		hit(all[:len(all)/2])
		hit(all[len(all)/2:])
	}
}

func main() {
	r := &Registry{sessions: map[string]*Session{}}
	done := make(chan bool)
	go func() {
		r.Open("a")
		done <- true
	}()
	if r.HitAll() > 1 {
		panic("too many")
	}
	<-done
	fmt.Println("done")
}
