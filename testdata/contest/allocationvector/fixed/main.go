// Command allocationvector allocates blocks from a vector of flags. A block is
// found and marked in one critical section.
package main

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

var errState = errors.New("the block has that state already")

// Vector knows which blocks are allocated.
type Vector struct {
	mu        sync.Mutex
	allocated []bool
}

// NewVector returns a vector of n free blocks.
func NewVector(n int) *Vector {
	return &Vector{allocated: make([]bool, n)}
}

// Allocate marks a free block as allocated and returns its index, or -1.
func (v *Vector) Allocate() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, taken := range v.allocated {
		if !taken {
			v.allocated[i] = true
			return i
		}
	}
	return -1
}

// Free marks block i as free.
func (v *Vector) Free(i int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.allocated[i] {
		return errState
	}
	v.allocated[i] = false
	return nil
}

func main() {
	const workers, blocks = 2, 1000
	v := NewVector(workers * blocks)

	var clashes atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			var mine []int
			for range blocks {
				if i := v.Allocate(); i >= 0 {
					mine = append(mine, i)
				}
			}
			for _, i := range mine {
				if err := v.Free(i); err != nil {
					clashes.Add(1)
				}
			}
		})
	}
	wg.Wait()

	fmt.Println(clashes.Load(), "blocks were allocated twice")
}
