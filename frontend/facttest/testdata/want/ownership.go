package main

import "sync"

// T is the checked type.
type T struct {
	mu    sync.Mutex
	count int

	// stored before others can reach the object, never again
	limits map[string]int
	others map[string]int // replaced by whoever likes
}

func newT() *T {
	t := &T{}
	t.limits = map[string]int{"a": 1}
	t.others = map[string]int{}
	return t
}

func (t *T) hit() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++                            // not "does not change"
	t.others = map[string]int{"a": 1}    // not "does not change"
	return t.limits["a"] + t.others["a"] // want "&t.limits, does" not "&t.others, does"
}

func main() {
	t := newT()
	go t.hit()
	go t.hit()
}
