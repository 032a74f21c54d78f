// Command scratch_put_twice takes scratch space for its sums from a pool.
package main

import (
	"errors"
	"sync"
)

// Scratch is space for a sum.
type Scratch struct {
	total int
}

var scratches = sync.Pool{
	New: func() any { return &Scratch{} },
}

var errNegative = errors.New("negative price")

// sum adds up prices.
func (s *Scratch) sum(prices []int) int {
	s.total = 0
	for _, price := range prices {
		s.total += price
	}
	return s.total
}

// Sum adds up prices, none of which may be negative.
func Sum(prices ...int) (int, error) {
	scratch := scratches.Get().(*Scratch)
	defer scratches.Put(scratch)
	for _, price := range prices {
		if price < 0 {
			scratches.Put(scratch) // BUG: the second time
			return 0, errNegative
		}
	}
	return scratch.sum(prices), nil
}

func main() {
	if _, err := Sum(-1); err == nil {
		panic("no error")
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if total, err := Sum(1, 2, 3); err != nil || total == 0 {
				panic("no sum")
			}
		})
	}
	wg.Wait()
}
