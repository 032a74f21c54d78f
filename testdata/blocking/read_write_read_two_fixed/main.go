// Program read_write_read_two_fixed: the mended read_write_read_two.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var a, b sync.RWMutex
	n := 0
	var wg sync.WaitGroup
	wg.Add(4)
	go func() {
		defer wg.Done()
		a.RLock()
		b.RLock()
		n++
		b.RUnlock()
		a.RUnlock()
	}()
	go func() {
		defer wg.Done()
		a.RLock()
		b.RLock()
		n++
		a.RUnlock()
		b.RUnlock()
	}()
	go func() {
		defer wg.Done()
		a.Lock()
		a.Unlock()
	}()
	go func() {
		defer wg.Done()
		b.Lock()
		b.Unlock()
	}()
	wg.Wait()
	fmt.Println(n)
}
