// Command unit_in_caller_fixed books seats for groups. To look whether there are
// enough and to take them is one critical section.
package main

import (
	"fmt"
	"sync"
)

// Hall has seats.
type Hall struct {
	mu   sync.Mutex
	free int
}

// Free returns the number of free seats.
func (h *Hall) Free() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.free
}

// Take takes n seats, if there are as many.
func (h *Hall) Take(n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.free < n {
		return false
	}
	h.free -= n
	return true
}

// book takes n seats if they are free.
//
//empire:unit
func book(h *Hall, n int) bool {
	return h.Take(n)
}

func main() {
	hall := &Hall{free: 10}

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		fmt.Println("first group:", book(hall, 7))
	}()
	go func() {
		defer wg.Done()
		fmt.Println("second group:", book(hall, 8))
	}()
	wg.Wait()

	fmt.Println(hall.Free(), "seats left")
}
