// Command results_by_index_fixed has a goroutine for each element of a slice. They are
// added up when all of them are there.
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
			s.values[i] = i * i
		})
	}
	wg.Wait()
	for i := 1; i < s.count; i++ {
		s.values[i] += s.values[i-1]
	}
	fmt.Println(s.values, s.count)
}
