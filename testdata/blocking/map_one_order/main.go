// Program map_one_order: Locks are taken as a map gives them, and in a fixed order by somebody else. Of the orders that a
// range over a map has, one is wrong.
package main

import "sync"

func main() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		locks := map[int]*sync.Mutex{1: &a, 2: &b}
		for _, mu := range locks {
			// confirm: perhaps, the runtime seldom gives that order of a map of two
			mu.Lock() // want deadlock
		}
		for _, mu := range locks {
			mu.Unlock()
		}
	}()
	go func() {
		defer wg.Done()
		a.Lock()
		b.Lock() // want deadlock
		b.Unlock()
		a.Unlock()
	}()
	wg.Wait()
}
