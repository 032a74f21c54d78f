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

// Who sends what it has made hands it over; who sends it twice does not.
func sends(to chan *T) {
	t := newT()
	t.count = 1
	to <- t // want "has it for itself"
}

func sendsTwice(to chan *T) {
	t := newT()
	to <- t // not "has it for itself"
	to <- t // not "has it for itself"
}

func receives(from chan *T) {
	t := <-from
	t.count++
}

func main() {
	handed, shared := make(chan *T, 1), make(chan *T, 2)
	go sends(handed)
	go receives(handed)
	go sendsTwice(shared)
	go receives(shared)
	t := newT()
	go t.hit()
	go t.hit()
}
