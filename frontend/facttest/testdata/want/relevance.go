package main

import "sync"

// T is the checked type.
type T struct {
	mu   sync.Mutex
	data map[string]int
	n    int
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

func main() {
	t := &T{data: map[string]int{}}
	go t.twice("a")
	go t.twice("a")
	go t.lost()
}
