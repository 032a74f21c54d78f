// Command results_by_index has a goroutine for each element of a slice. They add up the
// elements, each on the strength of the one before, which may not be there yet.
package main

import (
	"fmt"
	"sync"
)

// Series is a series of numbers, and how many there are.
type Series struct {
	values []int
	count  int
}

func main() {
	s := &Series{count: 3}
	s.values = make([]int, s.count)
	var wg sync.WaitGroup
	for i := range s.count {
		wg.Go(func() {
			sum := i * i
			if i > 0 {
				sum += s.values[i-1] // of another goroutine
			}
			s.values[i] = sum
		})
	}
	wg.Wait()
	fmt.Println(s.values, s.count)
}
