// Command printed_inside_fixed prints a report in which a range lies behind an interface, while another
// goroutine sets the range. What is printed is found from there: other values with a String method are
// printed, too, by other calls.
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

// String returns the range as text, of one moment.
func (r *Range) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strconv.Itoa(r.low) + " to " + strconv.Itoa(r.high)
}

// Unit is printed by its name.
type Unit struct{ name string }

// String returns the name.
func (u *Unit) String() string { return u.name }

// Report is what is told of a range.
type Report struct {
	Title string
	About fmt.Stringer
}

func main() {
	r := &Range{low: 1, high: 2}
	done := make(chan bool)
	go func() {
		r.Set(3, 4)
		done <- true
	}()
	println(fmt.Sprintf("%s", &Unit{"metres"}))
	println(fmt.Sprintf("%v", Report{"bounds", r}))
	<-done
}
