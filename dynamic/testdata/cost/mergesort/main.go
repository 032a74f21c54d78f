// Command mergesort sorts with a goroutine for each half, as long as there are few of them.
package main

import (
	"fmt"
	"sync"
)

// Sorter sorts; it counts its goroutines and what they compare.
type Sorter struct {
	mu                sync.Mutex
	free              int
	started, compared int
}

// take takes leave to start a goroutine.
func (s *Sorter) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 0 {
		return false
	}
	s.free--
	s.started++
	return true
}

func (s *Sorter) give() {
	s.mu.Lock()
	s.free++
	s.mu.Unlock()
}

func (s *Sorter) count(n int) {
	s.mu.Lock()
	s.compared += n
	s.mu.Unlock()
}

// Sort sorts a with the help of b.
func (s *Sorter) Sort(a, b []int) {
	if len(a) <= 32 {
		insert(a)
		return
	}
	m := len(a) / 2
	if len(a) > 4096 && s.take() {
		var wg sync.WaitGroup
		wg.Go(func() { s.Sort(a[:m], b[:m]); s.give() })
		s.Sort(a[m:], b[m:])
		wg.Wait()
	} else {
		s.Sort(a[:m], b[:m])
		s.Sort(a[m:], b[m:])
	}
	if n := merge(a, b, m); len(a) > 1024 {
		s.count(n)
	}
}

func insert(a []int) {
	for i := range a {
		for j := i; j > 0 && a[j-1] > a[j]; j-- {
			a[j-1], a[j] = a[j], a[j-1]
		}
	}
}

// merge merges a[:m] and a[m:] and returns the number of comparisons.
func merge(a, b []int, m int) int {
	copy(b, a)
	i, j := 0, m
	for k := range a {
		if j == len(a) || i < m && b[i] <= b[j] {
			a[k] = b[i]
			i++
		} else {
			a[k] = b[j]
			j++
		}
	}
	return len(a)
}

func main() {
	a := make([]int, 2_000_000)
	seed := uint32(1)
	for i := range a {
		seed = seed*1664525 + 1013904223
		a[i] = int(seed >> 8)
	}
	s := &Sorter{free: 7}
	s.Sort(a, make([]int, len(a)))
	for i := 1; i < len(a); i++ {
		if a[i-1] > a[i] {
			panic("not sorted")
		}
	}
	fmt.Println(a[0], a[len(a)-1], s.free)
}
