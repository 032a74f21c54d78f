// Program read_write_read_two: Two locks for readers are read in different orders, and each has a writer.
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
		b.RLock() // want deadlock
		n++
		b.RUnlock()
		a.RUnlock()
	}()
	go func() {
		defer wg.Done()
		b.RLock()
		a.RLock() // want deadlock
		n++
		a.RUnlock()
		b.RUnlock()
	}()
	go func() {
		defer wg.Done()
		a.Lock() // want deadlock
		a.Unlock()
	}()
	go func() {
		defer wg.Done()
		b.Lock() // want deadlock
		b.Unlock()
	}()
	wg.Wait()
	fmt.Println(n)
}
