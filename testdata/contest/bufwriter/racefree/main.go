// Command bufwriter fills a buffer from several goroutines, while another one
// empties it. Every access holds the lock, so a race detector is silent. But one
// of the writers looks for room, stores and counts in three critical sections:
// the position that it uses may be that of another writer, or from before the
// buffer was emptied.
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

// PutFast stores a value, if there is room.
func (b *Buffer) PutFast(value int) {
	pos, ok := b.room()
	if !ok {
		return
	}
	b.store(pos, value)
	b.counted()
}

func (b *Buffer) room() (pos int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pos, b.pos < len(b.data)
}

func (b *Buffer) store(pos, value int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data[pos] = value
}

func (b *Buffer) counted() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
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
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			until(stop, func() { buffer.Put(i) })
		}()
	}
	wg.Add(2)
	go func() {
		defer wg.Done()
		until(stop, func() { buffer.PutFast(-1) })
	}()
	go func() {
		defer wg.Done()
		until(stop, func() { written += buffer.Flush() })
	}()
	time.Sleep(10 * time.Millisecond)
	close(stop)
	wg.Wait()

	written += buffer.Flush()
	fmt.Println(buffer.Count(), "values put,", written, "flushed")
}
