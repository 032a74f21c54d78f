// Command vector_fixed copies a vector while another goroutine clears it. The
// constructor of the copy holds the lock of the source throughout, so the count
// and the elements of the copy belong together.
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

		// The copy is made in one step: the constructor holds the lock of v
		// from its first read to its last. In between, no other goroutine
		// can clear v.
		w := NewVectorFrom(v)
		if w.Len() > 0 {
			fmt.Println(w.Get(0).(int) + 1) // panics if the element is missing
		}
	}()

	wg.Wait()
}
