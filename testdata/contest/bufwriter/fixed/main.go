// Command bufwriter fills a buffer from several goroutines, while another one
// empties it. Each method is one critical section.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Buffer holds what is written until it is flushed.
type Buffer struct {
	mu    sync.Mutex
	data  []int
	pos   int
	count int // of all that was ever written
}

// NewBuffer returns an empty buffer for n values.
func NewBuffer(n int) *Buffer {
	return &Buffer{data: make([]int, n)}
}

// Put appends a value, if there is room.
func (b *Buffer) Put(value int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pos < len(b.data) {
		b.data[b.pos] = value
		b.pos++
		b.count++
	}
}

// Flush empties the buffer. It returns how many values there were.
func (b *Buffer) Flush() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.pos
	b.pos = 0
	return n
}

// Count returns how many values were ever written.
func (b *Buffer) Count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

// until calls f until stop is closed.
func until(stop <-chan struct{}, f func()) {
	for {
		select {
		case <-stop:
			return
		default:
			f()
		}
	}
}

func main() {
	buffer := NewBuffer(1000)
	stop := make(chan struct{})
	written := 0

	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			until(stop, func() { buffer.Put(i) })
		})
	}
	wg.Go(func() {
		until(stop, func() { written += buffer.Flush() })
	})
	time.Sleep(10 * time.Millisecond)
	close(stop)
	wg.Wait()

	written += buffer.Flush()
	fmt.Println("all values flushed:", buffer.Count() == written)
}
