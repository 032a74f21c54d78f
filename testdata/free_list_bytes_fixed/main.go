// Command free_list_bytes_fixed keeps buffers that nobody uses in a channel, and appends to their bytes by a
// function of the library.
package main

import (
	"fmt"
	"sync"
)

// Buffer is bytes and an owner.
type Buffer struct {
	data  []byte
	owner int
}

// Reset empties it.
func (b *Buffer) Reset(owner int) {
	b.data = b.data[:0]
	b.owner = owner
}

// Write adds.
func (b *Buffer) Write(s string) {
	b.data = append(b.data, s...)
	b.data = fmt.Append(b.data, b.owner)
}

// Free is a free list.
type Free struct{ list chan *Buffer }

// Get returns one.
func (f *Free) Get() *Buffer {
	select {
	case b := <-f.list:
		return b
	default:
		return new(Buffer)
	}
}

// Put gives one back.
func (f *Free) Put(b *Buffer) {
	select {
	case f.list <- b:
	default:
	}
}

func main() {
	f := &Free{list: make(chan *Buffer, 2)}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			b := f.Get()
			defer f.Put(b)
			b.Reset(i)
			b.Write("x")
		})
	}
	wg.Wait()
}
