// Command lock_if_shared_fixed has lists that lock only if they are shared, which is said when they are made.
package main

import (
	"fmt"
	"sync"
)

// List is items, and the sum of them.
type List struct {
	mu     sync.Mutex
	shared bool
	items  []int
	sum    int
}

// New returns an empty list.
func New(shared bool) *List { return &List{shared: shared} }

func (l *List) lock() {
	if l.shared {
		l.mu.Lock()
	}
}

func (l *List) unlock() {
	if l.shared {
		l.mu.Unlock()
	}
}

// Add adds an item.
func (l *List) Add(v int) {
	l.lock()
	defer l.unlock()
	l.items = append(l.items, v)
	l.sum += v
}

// Mean returns the mean of the items.
func (l *List) Mean() int {
	l.lock()
	defer l.unlock()
	if len(l.items) == 0 {
		return 0
	}
	return l.sum / len(l.items)
}

func main() {
	own := New(false)
	own.Add(1)
	fmt.Println(own.Mean())

	all := New(true)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { all.Add(i) })
		wg.Go(func() { fmt.Println(all.Mean()) })
	}
	wg.Wait()
}
