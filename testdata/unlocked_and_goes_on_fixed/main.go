// Command unlocked_and_goes_on_fixed ends if a number is too large.
package main

import (
	"log"
	"os"
	"sync"
)

// Sum is a sum and how many numbers it is of.
type Sum struct {
	mu         sync.Mutex
	sum, count int
}

// Add adds a number.
func (s *Sum) Add(n int) {
	s.mu.Lock()
	if n > 100 {
		s.mu.Unlock()
		os.Exit(1)
	}
	if n < 0 {
		s.mu.Unlock()
		log.Fatalln("negative:", n)
	}
	s.sum += n
	s.count++
	s.mu.Unlock()
}

func main() {
	s := &Sum{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { s.Add(100 + i) })
	}
	wg.Wait()
	println(s.sum, s.count)
}
