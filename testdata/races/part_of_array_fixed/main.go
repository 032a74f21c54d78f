// Both hold a lock.
package main

import (
	"fmt"
	"sync"
)

type ring struct {
	slots [4]int
	n     int
}

func main() {
	r := &ring{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		mu.Lock()
		defer mu.Unlock()
		copy(r.slots[:2], []int{1, 2})
	}()
	go func() {
		defer wg.Done()
		mu.Lock()
		r.slots[3] = 4
		mu.Unlock()
		r.n++
	}()
	wg.Wait()
	fmt.Println(r.slots, r.n)
}
