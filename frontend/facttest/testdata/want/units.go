package main

import "sync"

// T is the checked type.
type T struct {
	mu   sync.Mutex
	n, m int
	in   chan int
}

func (t *T) Add(n int) { // want "is a unit of work"
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += n
	t.m++
}

func unrelated(n int) int { // not "is a unit of work"
	return n + 1
}

func main() {
	t := &T{in: make(chan int)}
	go t.Add(unrelated(1))
	t.Add(2)
}
