// Command boundedbuffer hands values from producers to consumers. Both wait for the
// same condition, and a change wakes up one of them: that may be one who can do
// nothing with it, and then all are asleep. Main does not wait for them longer
// than half a second.
package main

import (
	"fmt"
	"sync"
	"time"
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
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.last-b.first == room {
		b.changed.Wait()
	}
	b.values[b.last%room] = value
	b.last++
	b.changed.Signal() // may wake up another producer
}

// Take removes a value when there is one.
func (b *Buffer) Take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.last == b.first {
		b.changed.Wait()
	}
	value := b.values[b.first%room]
	b.first++
	b.changed.Signal() // may wake up another consumer
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

	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		fmt.Println("all values were handed over")
	case <-time.After(500 * time.Millisecond):
		fmt.Println("all are asleep")
	}
}
