// Package harm is types of which some have calls that do together what no order of them does.
package harm

import (
	"sync"
	"sync/atomic"
)

// Counter counts in two critical sections.
type Counter struct {
	mu    sync.Mutex
	count int
	data  []int
}

func (c *Counter) Add(n int) {
	c.mu.Lock()
	c.data = append(c.data, n)
	c.mu.Unlock()
	c.mu.Lock()
	c.count++
	c.mu.Unlock()
}

func (c *Counter) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.data, c.count = nil, 0
}

func (c *Counter) Len() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count, len(c.data)
}

// CounterFixed counts in one.
type CounterFixed struct {
	mu    sync.Mutex
	count int
	data  []int
}

func (c *CounterFixed) Add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.data = append(c.data, n)
	c.count++
}

func (c *CounterFixed) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.data, c.count = nil, 0
}

func (c *CounterFixed) Len() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count, len(c.data)
}

// Tally adds to two numbers one after the other. What is added commutes; but who looks in between
// sees one without the other.
type Tally struct {
	mu          sync.Mutex
	hits, total int
}

func (t *Tally) Add(n int) {
	t.mu.Lock()
	t.hits++
	t.mu.Unlock()
	t.mu.Lock()
	t.total += n
	t.mu.Unlock()
}

func (t *Tally) Stats() (int, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hits, t.total
}

// Retry adds with a compare-and-swap that tries again.
type Retry struct{ sum, rounds atomic.Int64 }

func (r *Retry) Add(n int64) int64 {
	for {
		old := r.sum.Load()
		if r.sum.CompareAndSwap(old, old+n) {
			return old + n
		}
	}
}

// Lossy adds with a load and a store.
type Lossy struct{ sum, rounds atomic.Int64 }

func (r *Lossy) Add(n int64) {
	r.sum.Store(r.sum.Load() + n)
	r.rounds.Add(1)
}

func (r *Lossy) Sum() int64 { return r.sum.Load() }

// Flag is switched on, and says so twice.
type Flag struct {
	mu    sync.Mutex
	on    bool
	since int
}

func (f *Flag) Switch() {
	f.mu.Lock()
	f.on = true
	f.mu.Unlock()
	f.mu.Lock()
	f.since = 1
	f.mu.Unlock()
}
