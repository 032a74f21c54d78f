// Command guard_made_by_function has sets with a guard that runs critical sections as functions.
package main

import (
	"fmt"
	"sync"
)

type Guard interface{ Do(func()) }

type guard struct{ mu sync.Mutex }

func (g *guard) Do(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
}

func newGuard() Guard { return &guard{} }

type Set struct {
	guard Guard
	items []int
	sum   int
}

func NewSet() *Set { return &Set{guard: newGuard()} }

func (s *Set) Add(v int) {
	s.guard.Do(func() {
		s.items = append(s.items, v)
		s.sum += v
	})
}

func (s *Set) Stat() (n, sum int) {
	s.guard.Do(func() {
		n = len(s.items)
	})
	s.guard.Do(func() { sum = s.sum })
	return
}

type Other struct {
	guard Guard
	a, b  int
}

func (o *Other) Both() {
	o.guard.Do(func() { o.a++; o.b++ })
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		s := NewSet()
		o := &Other{guard: newGuard()}
		for i := range 3 {
			wg.Go(func() { s.Add(i) })
			wg.Go(func() { fmt.Println(s.Stat()) })
			wg.Go(func() { o.Both() })
		}
	}
	wg.Wait()
}
