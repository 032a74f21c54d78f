// Command boundedbuffer hands values from producers to consumers. Producers wait for
// one condition, consumers for another, so a signal wakes up somebody who can use
// it.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

const room = 3

// Buffer is a ring of values.
type Buffer struct {
	mu       sync.Mutex
	notFull  *sync.Cond
	notEmpty *sync.Cond
	values   [room]int
	first    int // number of the value taken next
	last     int // number of the value put next
}

// NewBuffer returns an empty buffer.
func NewBuffer() *Buffer {
	b := &Buffer{}
	b.notFull = sync.NewCond(&b.mu)
	b.notEmpty = sync.NewCond(&b.mu)
	return b
}

// Put adds a value when there is room.
func (b *Buffer) Put(value int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.last-b.first == room {
		b.notFull.Wait()
	}
	b.values[b.last%room] = value
	b.last++
	b.notEmpty.Signal()
}

// Take removes a value when there is one.
func (b *Buffer) Take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.last == b.first {
		b.notEmpty.Wait()
	}
	value := b.values[b.first%room]
	b.first++
	b.notFull.Signal()
	return value
}

func main() {
	buffer := NewBuffer()
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			for i := range 100 {
				buffer.Put(i)
			}
		})
		wg.Go(func() {
			for range 100 {
				sum.Add(int64(buffer.Take()))
			}
		})
	}
	wg.Wait()
	fmt.Println("sum of all values:", sum.Load())
}
