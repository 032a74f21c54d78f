// Command made_by_value_each makes a recorder by value for each goroutine, and one for all, each
// with a ring that is made by value.
package main

import (
	"fmt"
	"sync"
)

// ring is the last numbers.
type ring struct {
	numbers []int
	next    int
}

func newRing(size int) ring { return ring{numbers: make([]int, size)} }

func (r *ring) put(n int) {
	r.numbers[r.next] = n
	r.next = (r.next + 1) % len(r.numbers)
}

// Recorder has a ring, and how often it was used.
type Recorder struct {
	ring
	name  string
	times int
}

// NewRecorder returns a recorder.
func NewRecorder(name string) Recorder { return Recorder{ring: newRing(4), name: name} }

// Record records a number.
func (r *Recorder) Record(n int) {
	r.put(n)
	r.times++
}

func main() {
	all := NewRecorder("all")
	var done sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		own := NewRecorder(name)
		p := &own
		done.Go(func() {
			p.Record(1)
			p.Record(2)
			var mu sync.Mutex
			mu.Lock()
			defer mu.Unlock()
			all.Record(p.numbers[0])
		})
	}
	done.Wait()
	fmt.Println(all.times)
}
