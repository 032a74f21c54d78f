package main

import (
	"sync"
	"sync/atomic"
)

// T is the checked type.
type T struct {
	mu   sync.Mutex
	data map[string]int
	n    int
	v    atomic.Int64
}

// What was seen first no longer matters when it is looked at again.
func (t *T) twice(k string) {
	t.mu.Lock()
	_, known := t.data[k]
	t.mu.Unlock()
	if known {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.data[k]; !known { // want "matter"
		t.data[k] = 1
		t.n++
	}
}

// It does where it is what is stored.
func (t *T) lost() {
	t.mu.Lock()
	n := t.n
	t.mu.Unlock()
	t.mu.Lock()
	t.n = n + 1 // not "matter"
	t.mu.Unlock()
}

// It does where it has decided which way control goes, and is not asked again.
func (t *T) decides() int {
	t.mu.Lock()
	n := t.n
	t.mu.Unlock()
	if n > 3 {
		return 0
	}
	t.mu.Lock()
	t.data["b"] = 1 // not "matter"
	t.mu.Unlock()
	return 1
}

// Nor is another sum asked again.
func (t *T) another(k, j int) int {
	t.mu.Lock()
	full := t.n+k > 3
	t.mu.Unlock()
	if full {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n+j > 3 { // not "matter"
		return 0
	}
	t.n++
	return 1
}

// What a swap that has failed expected no longer matters when it is looked at again.
func (t *T) retries() {
	old := t.v.Load()
	if !t.v.CompareAndSwap(old, old+1) {
		old = t.v.Load() // want "matter"
		t.v.CompareAndSwap(old, old+1)
	}
}

// It does where it has been stored.
func (t *T) restores() {
	old := t.v.Load()
	if !t.v.CompareAndSwap(old, old+1) {
		t.v.Store(old)
		old = t.v.Load() // not "matter what .t1 "
		t.v.CompareAndSwap(old, old+1)
	}
}

func main() {
	t := &T{data: map[string]int{}}
	go t.twice("a")
	go t.twice("a")
	go t.lost()
	go t.retries()
	go t.restores()
	go t.decides()
	go t.another(2, 3)
}
