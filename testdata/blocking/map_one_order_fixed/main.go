// Program map_one_order_fixed: The mended map_one_order. A third lock is held by who takes both, in any order.
package main

import "sync"

func main() {
	var all, a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		locks := map[int]*sync.Mutex{1: &a, 2: &b}
		all.Lock()
		for _, mu := range locks {
			mu.Lock()
		}
		for _, mu := range locks {
			mu.Unlock()
		}
		all.Unlock()
	}()
	go func() {
		defer wg.Done()
		all.Lock()
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		all.Unlock()
	}()
	wg.Wait()
}
