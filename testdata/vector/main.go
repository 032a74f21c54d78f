// Command vector copies a vector while another goroutine clears it. Every access
// is locked, and go run -race is silent, yet the copy can have a count of one and
// no element: the program of Fig. 1 of the Empire report, in Go.
package main

import (
	"fmt"
	"sync"
)

func main() {
	v := NewVector()
	v.Add(1)

	var wg sync.WaitGroup
	wg.Add(2)

	go func() {
		defer wg.Done()
		v.Clear()
	}()

	go func() {
		defer wg.Done()

		// The copy is made in two steps: its count comes from one call on v,
		// its elements from another. In between, the other goroutine may
		// clear v.
		w := NewVectorFrom(v)
		if w.Len() > 0 {
			fmt.Println(w.Get(0).(int) + 1) // panics if the element is missing
		}
	}()

	wg.Wait()
}
