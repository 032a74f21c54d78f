// Command boundedbuffer hands values from producers to consumers. Every access holds
// the lock. But they wait for room or for a value in one critical section and use
// it in another: somebody else may have used it by then.
package main

import (
	"fmt"
	"sync"
)

const room = 3

// Buffer is a ring of values.
type Buffer struct {
	mu      sync.Mutex
	changed *sync.Cond
	values  [room]int
	first   int // number of the value taken next
	last    int // number of the value put next
}

// NewBuffer returns an empty buffer.
func NewBuffer() *Buffer {
	b := &Buffer{}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// Put adds a value when there is room.
func (b *Buffer) Put(value int) {
	b.waitForRoom()
	b.add(value)
}

// Take removes a value when there is one.
func (b *Buffer) Take() int {
	b.waitForValue()
	return b.remove()
}

func (b *Buffer) waitForRoom() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.last-b.first >= room {
		b.changed.Wait()
	}
}

func (b *Buffer) waitForValue() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.last <= b.first {
		b.changed.Wait()
	}
}

func (b *Buffer) add(value int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.values[b.last%room] = value
	b.last++
	b.changed.Broadcast()
}

func (b *Buffer) remove() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	value := b.values[b.first%room]
	b.first++
	b.changed.Broadcast()
	return value
}

func main() {
	buffer := NewBuffer()
	var wg sync.WaitGroup
	for range 5 {
		wg.Add(2)
		go func() {
			defer wg.Done()
			for i := range 100 {
				buffer.Put(i)
			}
		}()
		go func() {
			defer wg.Done()
			for range 100 {
				buffer.Take()
			}
		}()
	}
	wg.Wait()
	fmt.Println("as many values taken as put:", buffer.first == buffer.last)
}
