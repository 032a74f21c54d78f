// Command allocationvector allocates blocks from a vector of atomic flags. No
// access needs a lock, and a race detector has nothing to report. But an
// allocation finds a free block in one step and marks it in another: in between,
// the other goroutine can find the same block, and both have it.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Vector knows which blocks are allocated.
type Vector struct {
	allocated []atomic.Bool
}

// NewVector returns a vector of n free blocks.
func NewVector(n int) *Vector {
	return &Vector{allocated: make([]atomic.Bool, n)}
}

// FreeBlock returns the index of a free block, or -1.
func (v *Vector) FreeBlock() int {
	for i := range v.allocated {
		if !v.allocated[i].Load() {
			return i
		}
	}
	return -1
}

// MarkAllocated marks block i as allocated.
func (v *Vector) MarkAllocated(i int) {
	v.allocated[i].Store(true)
}

// MarkFree marks block i as free.
func (v *Vector) MarkFree(i int) {
	v.allocated[i].Store(false)
}

// allocate finds a free block and marks it: two calls that belong together.
//
//empire:unit
func allocate(v *Vector) int {
	i := v.FreeBlock()
	if i >= 0 {
		v.MarkAllocated(i)
	}
	return i
}

func main() {
	const workers, blocks = 2, 1000
	v := NewVector(workers * blocks)

	owners := make([]atomic.Int64, workers*blocks)
	var clashes atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var mine []int
			for range blocks {
				i := allocate(v)
				if i < 0 {
					continue
				}
				if owners[i].Add(1) > 1 {
					clashes.Add(1)
				}
				mine = append(mine, i)
			}
			for _, i := range mine {
				owners[i].Add(-1)
				v.MarkFree(i)
			}
		}()
	}
	wg.Wait()

	fmt.Println(clashes.Load(), "blocks were allocated twice")
}
