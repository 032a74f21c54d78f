// Package atomics has units of work that others come between without any harm: they do all that they do
// in one atomic operation, or write only what is there anyway. Beside each there is one that looks like
// it, and does harm.
package atomics

import (
	"sync"
	"sync/atomic"
)

// Stack is a list that compare-and-swap guards.
type Stack struct {
	head atomic.Pointer[node]
	size atomic.Int64
}

type node struct {
	value string
	next  *node
}

// Push tries again until nobody has come between.
func (s *Stack) Push(value string) {
	for {
		old := s.head.Load()
		if s.head.CompareAndSwap(old, &node{value, old}) {
			return
		}
	}
}

// Heap is such a list, too.
type Heap struct {
	head atomic.Pointer[node]
}

// Push does not look whether somebody has come between.
func (h *Heap) Push(value string) {
	old := h.head.Load()
	h.head.Store(&node{value, old}) // BUG: what others have pushed is lost
}

// Most keeps the largest number.
type Most struct{ n atomic.Int64 }

// See raises the number.
func (m *Most) See(n int64) {
	for {
		old := m.n.Load()
		if n <= old || m.n.CompareAndSwap(old, n) {
			return
		}
	}
}

// Last keeps the largest number, most of the time.
type Last struct{ n atomic.Int64 }

// See raises the number.
func (l *Last) See(n int64) {
	if n > l.n.Load() {
		l.n.Store(n) // BUG: a larger one is overwritten
	}
}

// Gate is opened once.
type Gate struct{ open atomic.Bool }

// Open tells whether this call has opened it.
func (g *Gate) Open() bool {
	if g.open.Load() {
		return false
	}
	return g.open.CompareAndSwap(false, true)
}

// Door is opened once.
type Door struct{ open atomic.Bool }

// Open tells whether this call has opened it.
func (d *Door) Open() bool {
	if d.open.Load() {
		return false
	}
	d.open.Store(true) // BUG: two calls do
	return true
}

// Mark is set, whoever does it.
type Mark struct{ set atomic.Bool }

// Set writes what is there anyway, if it is.
func (m *Mark) Set() {
	if !m.set.Load() {
		m.set.Store(true)
	}
}

// Toggle is set or not.
type Toggle struct{ set atomic.Bool }

// Flip turns it.
func (t *Toggle) Flip() {
	t.set.Store(!t.set.Load()) // BUG: two flips are one
}

// Tickets are drawn.
type Tickets struct{ next atomic.Int64 }

// Draw looks whether there are some before it draws one.
func (t *Tickets) Draw() int64 {
	t.next.Load()
	return t.next.Add(1)
}

// Numbers are drawn.
type Numbers struct{ next atomic.Int64 }

// Draw draws a number.
func (n *Numbers) Draw() int64 {
	n.next.Add(1)
	return n.next.Load() // BUG: that of another one
}

// Reader keeps the first error.
type Reader struct {
	mu  sync.RWMutex
	err string
	n   int
}

// Fail keeps an error, unless there is one.
func (r *Reader) Fail(err string) {
	r.mu.RLock()
	failed := r.err != ""
	r.mu.RUnlock()
	if failed {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == "" {
		r.err, r.n = err, r.n+1
	}
}

// Writer keeps the first error.
type Writer struct {
	mu  sync.RWMutex
	err string
	n   int
}

// Fail keeps an error.
func (w *Writer) Fail(err string) {
	w.mu.RLock()
	failed := w.err != ""
	w.mu.RUnlock()
	if failed {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err, w.n = err, w.n+1 // BUG: there may be one by now
}

// Table makes entries when they are asked for first.
type Table struct {
	mu    sync.RWMutex
	names map[string]*node
}

// NewTable returns an empty table.
func NewTable() *Table { return &Table{names: map[string]*node{}} }

// Get returns the entry of a name: all get the same one.
func (t *Table) Get(name string) *node {
	t.mu.RLock()
	n, ok := t.names[name]
	t.mu.RUnlock()
	if ok {
		return n
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.names[name]; ok {
		return n
	}
	n = &node{value: name}
	t.names[name] = n
	return n
}

// Copies makes entries when they are asked for.
type Copies struct {
	mu    sync.RWMutex
	names map[string]*node
}

// NewCopies returns an empty table.
func NewCopies() *Copies { return &Copies{names: map[string]*node{}} }

// Get returns the entry of a name.
func (c *Copies) Get(name string) *node {
	c.mu.RLock()
	n, ok := c.names[name]
	c.mu.RUnlock()
	if ok {
		return n
	}
	n = &node{value: name}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names[name] = n // BUG: two that ask at once get two
	return n
}
