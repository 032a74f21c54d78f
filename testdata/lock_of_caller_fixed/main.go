// Command lock_of_caller_fixed adds numbers under a lock that is handed over. The lock is a variable of main.
package main

import "sync"

// Sum is a sum of so many numbers.
type Sum struct {
	total int
	count int
}

// Add adds a number under the lock.
func (s *Sum) Add(mu *sync.Mutex, v int) {
	mu.Lock()
	defer mu.Unlock()
	s.total += v
	s.count++
}

func main() {
	var mu sync.Mutex
	s := &Sum{}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { s.Add(&mu, i) })
	}
	wg.Wait()
}
