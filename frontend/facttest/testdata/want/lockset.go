package main

import "sync"

// T is the checked type.
type T struct {
	mu    sync.Mutex
	other sync.RWMutex
	odd   sync.Mutex
	n, m  int
}

// The lock is held from where it is taken to where it is released.
func (t *T) between() {
	t.n++ // not "is held"
	t.mu.Lock()
	t.n++ // want "lock .*mu is"
	t.mu.Unlock()
	t.n++ // not "mu is"
}

// It is held to the end if it is released by a deferred call.
func (t *T) deferred(again bool) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if again {
		return t.n // want "mu is"
	}
	t.m++ // want "mu is"
	return t.m
}

// It is not held behind a branch in which it was released.
func (t *T) oneWay(done bool) {
	t.odd.Lock()
	if done {
		t.odd.Unlock()
	}
	t.n++ // not "odd is"
	if !done {
		t.odd.Unlock()
	}
}

// A read lock is held as such.
func (t *T) look() int {
	t.other.RLock()
	defer t.other.RUnlock()
	return t.n // want "other is .*read"
}

func main() {
	t := &T{}
	go t.between()
	go t.oneWay(t.look() > 1)
	t.deferred(false)
}
