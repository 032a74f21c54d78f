// Program two_locks_observer: The subject calls the observer under its lock, and the observer calls the subject under its own.
package main

import (
	"fmt"
	"sync"
)

type subject struct {
	mu  sync.Mutex
	obs *observer
	n   int
}

type observer struct {
	mu   sync.Mutex
	subj *subject
	seen int
}

func (s *subject) Notify() {
	s.mu.Lock()
	s.n++
	n := s.n
	s.obs.update(n)
	s.mu.Unlock()
}

func (o *observer) update(n int) {
	o.mu.Lock() // want deadlock
	o.seen = n
	o.mu.Unlock()
}

func (o *observer) Detach() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.subj.mu.Lock() // want deadlock
	o.subj.obs = &observer{}
	o.subj.mu.Unlock()
}

func main() {
	s := &subject{}
	o := &observer{subj: s}
	s.obs = o
	done := make(chan bool)
	go func() {
		s.Notify()
		done <- true
	}()
	o.Detach()
	<-done
	fmt.Println(o.seen)
}
