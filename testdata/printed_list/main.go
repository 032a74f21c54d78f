// Command printed_list prints a list of ranges, of a slice type that has a String method, while another
// goroutine sets one of them.
package main

import (
	"fmt"
	"strconv"
	"sync"
)

// Range has two bounds, of which the first is not above the second.
type Range struct {
	mu   sync.Mutex
	low  int
	high int
}

// Set moves both bounds.
func (r *Range) Set(low, high int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.low, r.high = low, high
}

// Low returns the lower bound.
func (r *Range) Low() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.low
}

// High returns the upper bound.
func (r *Range) High() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.high
}

// text returns the range as text.
func (r *Range) text() string { return strconv.Itoa(r.Low()) + " to " + strconv.Itoa(r.High()) }

// Ranges is a list.
type Ranges []*Range

// String returns the first range as text.
func (all Ranges) String() string { return all[0].text() }

// archive keeps lists, none so far.
type archive struct{ kept Ranges }

func main() {
	r := &Range{low: 1, high: 2}
	done := make(chan bool)
	go func() {
		r.Set(3, 4)
		done <- true
	}()
	old := &archive{}
	println(len(old.kept), fmt.Sprint(Ranges{r}))
	<-done
}
