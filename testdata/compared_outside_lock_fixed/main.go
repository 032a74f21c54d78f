// Command compared_outside_lock_fixed compares samples with others by reflection, under
// the lock.
package main

import (
	"fmt"
	"reflect"
	"sync"
)

// Samples is two numbers, which are equal.
type Samples struct {
	mu     sync.Mutex
	values []int
}

// Set sets both.
func (s *Samples) Set(value int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[0] = value
	s.values[1] = value
}

// Equal tells whether they are those.
func (s *Samples) Equal(others []int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return reflect.DeepEqual(s.values, others)
}

func main() {
	s := &Samples{values: make([]int, 2)}
	var wg sync.WaitGroup
	wg.Go(func() { s.Set(1) })
	wg.Go(func() {
		if s.Equal([]int{1, 0}) {
			fmt.Println("half set")
		}
	})
	wg.Wait()
}
