// Command pool_makes_once counts what a pool has made: by a load and a store, between which others
// count, too.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Buffers is a pool that counts.
type Buffers struct {
	pool sync.Pool
	made atomic.Int64
	got  atomic.Int64
}

// NewBuffers returns a pool.
func NewBuffers() *Buffers {
	b := &Buffers{}
	b.pool.New = func() any {
		made := b.made.Load() + 1
		b.made.Store(made)
		return fmt.Sprint("buffer ", made)
	}
	return b
}

// Get returns a buffer.
func (b *Buffers) Get() string { return b.pool.Get().(string) }

// Put gives it back.
func (b *Buffers) Put(s string) { b.pool.Put(s) }

func main() {
	b := NewBuffers()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { s := b.Get(); fmt.Println(s); b.Put(s) })
	}
	wg.Wait()
}
