// Program two_locks_observer_fixed: the mended two_locks_observer.
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
	s.mu.Unlock()
	s.obs.update(n)
}

func (o *observer) update(n int) {
	o.mu.Lock()
	o.seen = n
	o.mu.Unlock()
}

func (o *observer) Detach() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.subj.mu.Lock()
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
