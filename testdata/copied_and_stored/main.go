// Command copied_and_stored measures: a snapshot is a copy of the numbers, and who has one
// changes it as he likes.
package main

import (
	"fmt"
	"sync"
)

type numbers struct {
	count, total int
	last         []int
}

// Meter is the numbers so far.
type Meter struct {
	mu  sync.Mutex
	now numbers
}

// Add adds a number: the last ones are copied, with it.
func (m *Meter) Add(v int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.now
	n.count++
	n.total += v
	n.last = append([]int{v}, n.last...)
	m.now = n
}

// Snapshot returns the numbers.
func (m *Meter) Snapshot() numbers {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.now
	return n
}

func report(m *Meter) {
	n := m.Snapshot()
	n.count++
	n.last[0] = 0
	fmt.Println(n.total/n.count, n.last)
}

func main() {
	m := &Meter{}
	m.Add(1)
	var done sync.WaitGroup
	done.Go(func() { m.Add(2) })
	done.Go(func() { report(m) })
	done.Wait()
}
