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

// What Once.Do calls is work of who calls it; what has nothing to do with the object is none.
func begins(t *T, once *sync.Once) { // want "is a unit of work"
	unrelated(1)     // not "works on"
	once.Do(func() { // want "Do.* works on"
		t.n = 1
	})
	t.m = 1 // want "works on"
}

func main() {
	t := &T{in: make(chan int)}
	var once sync.Once
	go begins(t, &once)
	go t.Add(unrelated(1))
	t.Add(2)
}
