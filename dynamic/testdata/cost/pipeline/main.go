// Command pipeline squares, filters and sums numbers in stages joined by channels.
package main

import (
	"fmt"
	"sync"
)

// Totals is what the last stage has seen.
type Totals struct {
	mu         sync.Mutex
	sum, count uint64
}

func (t *Totals) Add(batch []uint64) {
	sum := uint64(0)
	for _, n := range batch {
		sum += n
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum += sum
	t.count += uint64(len(batch))
}

// source sends batches of numbers.
func source(batches, size int) <-chan []uint64 {
	out := make(chan []uint64, 8)
	go func() {
		defer close(out)
		for b := range batches {
			batch := make([]uint64, size)
			for i := range batch {
				batch[i] = uint64(b*size + i)
			}
			out <- batch
		}
	}()
	return out
}

// stage applies f to batches.
func stage(in <-chan []uint64, f func(uint64) (uint64, bool)) <-chan []uint64 {
	out := make(chan []uint64, 8)
	go func() {
		defer close(out)
		for batch := range in {
			kept := batch[:0]
			for _, n := range batch {
				if n, ok := f(n); ok {
					kept = append(kept, n)
				}
			}
			out <- kept
		}
	}()
	return out
}

func main() {
	t := &Totals{}
	squares := stage(source(60_000, 256), func(n uint64) (uint64, bool) { return n * n, true })
	odd := stage(squares, func(n uint64) (uint64, bool) { return n, n%2 == 1 })
	mixed := stage(odd, func(n uint64) (uint64, bool) {
		for range 4 {
			n ^= n >> 13
			n *= 0x9e3779b97f4a7c15
		}
		return n, n%8 != 0
	})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for batch := range mixed {
				t.Add(batch)
			}
		})
	}
	wg.Wait()
	fmt.Println(t.sum, t.count)
}
