package main

import (
	"runtime"
	"sync"
)

// T is the checked type.
type T struct {
	mu sync.Mutex
	n  int
	m  map[string]int
	s  []int
}

// with has one more element, which may be written where others have theirs; a copy has not.
func (t *T) with(n int) []int {
	return append(t.s, n) // not "append.*only looks"
}

func (t *T) copied() []int {
	return append([]int(nil), t.s...) // want "append.*only looks"
}

func (t *T) touch() { t.n++ } // want "touches the set"

func leave() { runtime.Goexit() }

func rescue() {
	defer func() { recover() }()
	panic("as usual")
}

func (t *T) all(other *int) {
	t.touch()     // want "touches the set"
	*other = 1    // not "touches the set"
	t.m["a"] = 1  // want "touches the set"
	defer leave() // want "may end the goroutine"
	rescue()      // want "recovers"
	t.mu.Lock()   // not "touches the set"
	t.mu.Unlock() // not "may end the goroutine"
}

func main() {
	t := &T{m: map[string]int{}, s: make([]int, 1)}
	x := 0
	go t.all(&x)
	go t.forget("a")
	t.touch()
	t.with(len(t.copied()))
}

// What a deferred built-in function does is done when the function ends.
func (t *T) forget(k string) { // want "rundefers: touches the set"
	defer delete(t.m, k)
	t.mu.Lock()
	t.mu.Unlock()
}
