// Command shared_too_late_fixed has lists that lock only if they are shared.
package main

import (
	"fmt"
	"sync"
)

type List struct {
	mu     sync.Mutex
	shared bool
	items  []int
	sum    int
}

func New(shared bool) *List { return &List{shared: shared} }

func (l *List) Share() { l.shared = true }

func (l *List) Add(v int) {
	if l.shared {
		l.mu.Lock()
		defer l.mu.Unlock()
	}
	l.items = append(l.items, v)
	l.sum += v
}

func (l *List) Mean() int {
	if l.shared {
		l.mu.Lock()
		defer l.mu.Unlock()
	}
	if len(l.items) == 0 {
		return 0
	}
	return l.sum / len(l.items)
}

func main() {
	l := New(true)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { l.Add(i) })
		wg.Go(func() { fmt.Println(l.Mean()) })
	}
	wg.Wait()
}
