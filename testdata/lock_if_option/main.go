// Command lock_if_option has rings that lock only if their options say so.
package main

import (
	"fmt"
	"sync"
)

type options struct {
	safe bool
	size int
}

type Ring struct {
	mu    *sync.Mutex
	safe  bool
	items []int
	count int
}

func NewRing(o options) *Ring {
	r := &Ring{safe: o.safe, items: make([]int, 0, o.size)}
	r.mu = new(sync.Mutex)
	return r
}

func (r *Ring) Add(v int) {
	if r.safe {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	r.items = append(r.items, v)
	r.count++
}

func (r *Ring) Len() (int, int) {
	if r.safe {
		r.mu.Lock()
	}
	n := len(r.items)
	c := r.count
	if r.safe {
		r.mu.Unlock()
	}
	return n, c
}

func main() {
	r := NewRing(options{safe: false, size: 3})
	q := NewRing(options{size: 3})
	q.Add(1)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { r.Add(i) })
		wg.Go(func() { fmt.Println(r.Len()) })
	}
	wg.Wait()
	fmt.Println(q.Len())
}
