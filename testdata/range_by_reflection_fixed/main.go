// Command range_by_reflection_fixed has a range whose fields are set by their names.
package main

import (
	"fmt"
	"reflect"
	"sync"
)

// Range is the numbers from Lowest to Highest, and how to walk over them.
type Range struct {
	mu              sync.Mutex
	Lowest, Highest int
	Step            int
}

// Move sets both ends.
func (r *Range) Move(lowest, highest int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Lowest, r.Highest = lowest, highest
}

// Ends returns both ends.
func (r *Range) Ends() (lowest, highest int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Lowest, r.Highest
}

// Reset begins anew with the ends of a default range.
func (r *Range) Reset() {
	fields := reflect.ValueOf(r).Elem()
	r.mu.Lock()
	fields.FieldByName("Lowest").SetInt(0)
	fields.FieldByName("Highest").SetInt(0)
	r.mu.Unlock()
	if step := fields.FieldByName("Step"); step.CanSet() {
		step.SetInt(1)
	}
}

func main() {
	r := &Range{Lowest: 2, Highest: 8, Step: 3}
	done := make(chan bool)
	go func() {
		r.Move(4, 16)
		done <- true
	}()
	r.Reset()
	fmt.Println(r.Ends())
	<-done
}
