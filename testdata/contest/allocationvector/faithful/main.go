// Command allocationvector allocates blocks from a vector of flags. Each method of
// the vector is one critical section. But an allocation takes two of them: find a
// free block, then mark it. In between, the other goroutine can find the same
// block, and both mark it. A race detector has nothing to report.
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

// FreeBlock returns the index of a free block, or -1.
func (v *Vector) FreeBlock() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, taken := range v.allocated {
		if !taken {
			return i
		}
	}
	return -1
}

// MarkAllocated marks block i as allocated.
func (v *Vector) MarkAllocated(i int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.allocated[i] {
		return errState
	}
	v.allocated[i] = true
	return nil
}

// MarkFree marks block i as free.
func (v *Vector) MarkFree(i int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.allocated[i] {
		return errState
	}
	v.allocated[i] = false
	return nil
}

// allocate finds a free block and marks it: two calls that belong together.
//
//empire:unit
func allocate(v *Vector) (int, error) {
	i := v.FreeBlock()
	if i < 0 {
		return i, nil
	}
	return i, v.MarkAllocated(i)
}

func main() {
	const workers, blocks = 2, 1000
	v := NewVector(workers * blocks)

	var clashes atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var mine []int
			for range blocks {
				i, err := allocate(v)
				if err != nil {
					clashes.Add(1)
				} else if i >= 0 {
					mine = append(mine, i)
				}
			}
			for _, i := range mine {
				if err := v.MarkFree(i); err != nil {
					clashes.Add(1)
				}
			}
		}()
	}
	wg.Wait()

	fmt.Println(clashes.Load(), "blocks were allocated twice")
}
