// Command unit_in_caller books seats for groups. Each method of the hall is one
// critical section. But book asks for the number of free seats and takes them
// afterwards: in between, the other group can take them, and the hall is
// overbooked.
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

// Take takes n seats.
func (h *Hall) Take(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.free -= n
}

// book takes n seats if they are free. The two calls belong together.
//
//empire:unit
func book(h *Hall, n int) bool {
	if h.Free() < n {
		return false
	}
	h.Take(n)
	return true
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
