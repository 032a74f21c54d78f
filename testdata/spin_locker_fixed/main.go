// Command spin_locker_fixed keeps the corners of a box behind a lock that is an integer.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// spin is a lock: 1 if somebody has it.
type spin uint32

func (l *spin) Lock() {
	for atomic.LoadUint32((*uint32)(l)) == 1 || atomic.SwapUint32((*uint32)(l), 1) == 1 {
	}
}

func (l *spin) Unlock() { atomic.CompareAndSwapUint32((*uint32)(l), 1, 0) }

// Box is from low to high.
type Box struct {
	sync.Locker
	low, high int
}

// NewBox returns an empty box.
func NewBox() *Box { return &Box{Locker: new(spin)} }

// Move moves the box.
func (b *Box) Move(by int) {
	b.Lock()
	b.low += by
	b.high += by
	b.Unlock()
}

// Size returns the size of the box.
func (b *Box) Size() int {
	b.Lock()
	defer b.Unlock()
	return b.high - b.low
}

func main() {
	b := NewBox()
	var wg sync.WaitGroup
	wg.Go(func() { b.Move(1) })
	wg.Go(func() { fmt.Println(b.Size()) })
	wg.Wait()
}
