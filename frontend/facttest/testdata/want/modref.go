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
	t := &T{m: map[string]int{}}
	x := 0
	go t.all(&x)
	t.touch()
}
