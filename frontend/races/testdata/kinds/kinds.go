// Package kinds has types with and without data races that are certain by lock sets alone. An access that lacks a lock
// is marked with "race" at the end of its line; what is not marked must not be reported.
package kinds

import (
	"sync"
	"sync/atomic"
	"time"
)

// Early looks at the map before it takes the lock.
type Early struct {
	mu    sync.Mutex
	items map[string]int
}

func NewEarly() *Early { return &Early{items: map[string]int{}} }

func (e *Early) Names() []string {
	names := make([]string, 0, len(e.items)) // race
	e.mu.Lock()
	defer e.mu.Unlock()
	for name := range e.items {
		names = append(names, name)
	}
	return names
}

func (e *Early) Put(name string, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.items[name] = n
}

// Late looks at the map after it has let go of the lock, and in what it calls.
type Late struct {
	sync.RWMutex
	items map[string]int
	n     int
}

func (l *Late) Put(name string, n int) int {
	l.Lock()
	l.put(name, n)
	l.Unlock()
	return l.size()
}

func (l *Late) put(name string, n int) { l.items[name] = n }

func (l *Late) size() int { return len(l.items) } // race

func (l *Late) Count() int {
	l.RLock()
	defer l.RUnlock()
	l.n++ // race
	return l.n
}

func (l *Late) Set(n int) {
	l.RLock()
	l.n = n // race
	l.RUnlock()
}

// Guarded has helpers that lock, and one lock for what a flag says.
type Guarded struct {
	mu    sync.Mutex
	n     int
	plain bool
}

func (g *Guarded) lock() func() {
	g.mu.Lock()
	return g.mu.Unlock
}

func (g *Guarded) take() { g.mu.Lock() }
func (g *Guarded) give() { g.mu.Unlock() }

func (g *Guarded) N() int {
	g.take()
	defer g.give()
	return g.n
}

func (g *Guarded) Add() {
	defer g.lock()()
	g.n++
}

func (g *Guarded) Double() {
	if !g.plain {
		g.mu.Lock()
		defer g.mu.Unlock()
	}
	g.n *= 2
}

func (g *Guarded) Reset() {
	g.mu.Lock()
	defer func() { g.mu.Unlock() }()
	g.n = 0
}

func (g *Guarded) Try() int {
	if g.mu.TryLock() {
		defer g.mu.Unlock()
		return g.n
	}
	return 0
}

// Waits waits for others before it looks.
type Waits struct {
	mu     sync.Mutex
	n      int
	ready  chan struct{}
	done   atomic.Bool
	once   sync.Once
	group  sync.WaitGroup
	source interface{ Wait() }
}

func (w *Waits) Channel() int { <-w.ready; return w.n }
func (w *Waits) Flag() int {
	if w.done.Load() {
		return w.n
	}
	return 0
}
func (w *Waits) Once() int  { w.once.Do(w.make); return w.n }
func (w *Waits) Group() int { w.group.Wait(); return w.n }
func (w *Waits) Other() int { w.source.Wait(); return w.n }
func (w *Waits) Inner() int { w.wait(); return w.n }
func (w *Waits) wait() {
	select {
	case <-w.ready:
	case w.ready <- struct{}{}:
	}
}

func (w *Waits) make() {
	w.mu.Lock()
	w.n = 1
	w.mu.Unlock()
}

func (w *Waits) Publish() {
	w.mu.Lock()
	w.n = 2
	w.mu.Unlock()
	close(w.ready)
}

// Options is set up without a lock by a function that knows of none: by contract before it is shared.
type Options struct {
	mu  sync.Mutex
	max int
	n   int
}

func (o *Options) SetMax(max int) { o.max = max }

func (o *Options) Add() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.n < o.max {
		o.n++
		return true
	}
	return false
}

func (o *Options) Full() bool {
	return o.n > 7 // race
}

// Janitor looks by a goroutine of its own.
type Janitor struct {
	mu    sync.Mutex
	items map[string]int
	ready bool
}

func NewJanitor() *Janitor {
	j := &Janitor{items: map[string]int{}}
	j.ready = true
	go j.run(time.Minute)
	return j
}

func (j *Janitor) run(every time.Duration) {
	for range time.Tick(every) {
		j.mu.Lock()
		j.mu.Unlock()
	}
}

func (j *Janitor) Watch() {
	go func() {
		ticker := time.NewTicker(time.Second)
		for {
			<-ticker.C
			for name := range j.items { // race
				println(name)
			}
		}
	}()
}

func (j *Janitor) Clear() {
	j.mu.Lock()
	j.items = map[string]int{} // of the field that the goroutine loads
	clear(j.items)
	j.mu.Unlock()
}

// Joined waits for its goroutine where it is made.
type Joined struct {
	mu sync.Mutex
	n  int
}

func NewJoined() *Joined {
	j := &Joined{}
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		j.n++
		group.Done()
	}()
	group.Wait()
	return j
}

func (j *Joined) Add() {
	j.mu.Lock()
	j.n++
	j.mu.Unlock()
}

// Behind has its lock behind a pointer, which may be any.
type Behind struct {
	mu, other *sync.Mutex
	inner     struct{ n int }
	own       sync.Mutex
}

func (b *Behind) Add() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inner.n++
}

func (b *Behind) Other() int {
	b.other.Lock()
	defer b.other.Unlock()
	return b.inner.n
}

func (b *Behind) Same() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inner.n
}

func (b *Behind) None() int {
	return b.inner.n // race
}

// Twice has two locks in itself, and takes the wrong one; and one that all objects have.
type Twice struct {
	reads, writes sync.Mutex
	n, all        int
}

var everyone sync.Mutex

func (t *Twice) Set(n int) {
	t.writes.Lock()
	defer t.writes.Unlock()
	t.n = n // race
	everyone.Lock()
	t.all++
	everyone.Unlock()
}

func (t *Twice) N() int {
	t.reads.Lock()
	defer t.reads.Unlock()
	return t.n
}

func (t *Twice) All() int {
	everyone.Lock()
	defer everyone.Unlock()
	return t.all
}

// Handed is accessed by functions that are handed it, one of which calls itself.
type Handed struct {
	mu sync.Mutex
	n  int
}

func (h *Handed) Down(depth int) int {
	if depth == 0 {
		return 0
	}
	h.Down(depth - 1)
	return h.n
}

func (h *Handed) Set(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	set(h, n)
}

func (h *Handed) Copy() Handed {
	other := &Handed{}
	set(other, 1)
	return Handed{n: get(h)}
}

func set(h *Handed, n int) { h.n = n }

func get(h *Handed) int { return h.n } // race

// Lazy is set up under the lock by whoever comes first, and looked at without it afterwards.
type Lazy struct {
	mu    sync.Mutex
	items map[string]int
	n     int
}

func (l *Lazy) setUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.items == nil {
		l.items = map[string]int{"a": 1}
	}
}

func (l *Lazy) Has(name string) bool {
	l.setUp()
	return l.items[name] > 0
}

// Hurry takes it for set up where it finds anything.
func (l *Lazy) Hurry(name string) bool {
	if l.items == nil { // race
		l.setUp()
	}
	return len(name) > 0
}

// Begun starts its goroutine once, which looks at what was there before it.
type Begun struct {
	mu    sync.Mutex
	ready bool
	items map[string]int
}

func (b *Begun) Start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ready {
		return
	}
	b.ready = true
	b.items = map[string]int{"a": 1}
	go func() {
		println(len(b.items), b.ready) // race
	}()
}

func (b *Begun) Stop() {
	b.mu.Lock()
	b.ready = false
	b.mu.Unlock()
}

// Parts has a struct of which some fields are guarded.
type Parts struct {
	mu  sync.Mutex
	all struct {
		n    int
		name string
	}
}

func (p *Parts) Name() string { return p.all.name }

func (p *Parts) N() int { return p.all.n } // race

func (p *Parts) Set(n int) {
	p.mu.Lock()
	p.all.n = n
	p.mu.Unlock()
}

// Lent is guarded by the lock of its pool while it is in there, and belongs to one client while it is not.
type Lent struct {
	pool *Pool
	n    int
}

type Pool struct{ mu sync.Mutex }

func (l *Lent) Return() {
	l.pool.mu.Lock()
	l.n++
	l.pool.mu.Unlock()
}

func (l *Lent) N() int { return l.n }

// Told has methods that say who has to lock.
type Told struct {
	sync.Mutex
	n int
}

func (t *Told) SizeLocked() int { return t.n }

// Size is to be called with the lock held.
func (t *Told) Size() int { return t.n }

// Count is the size.
func (t *Told) Count() int { return t.n } // race

func (t *Told) Add() {
	t.Lock()
	defer t.Unlock()
	t.n++
}

// Half is held at half of the accesses, and not where it is written: nothing says that it has to be.
type Half struct {
	mu  sync.Mutex
	max int
}

// NewHalf returns one.
func NewHalf() *Half { return &Half{} }

// SetMax writes without it.
func (h *Half) SetMax(max int) {
	h.mu.Lock()
	h.mu.Unlock()
	h.max = max
}

// Drop writes without it.
func (h *Half) Drop() { h.max = 0 }

// Max reads with it.
func (h *Half) Max() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.max
}

// Written is held at half of the accesses, and where it is written.
type Written struct {
	mu  sync.Mutex
	max int
}

// NewWritten returns one.
func NewWritten() *Written { return &Written{} }

// SetMax writes with it.
func (w *Written) SetMax(max int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.max = max
}

// Max reads without it.
func (w *Written) Max() int { return w.max } // race

// SetOnce is set with the lock by one function.
type SetOnce struct {
	mu  sync.Mutex
	max int
}

// Drop sets it without.
func (s *SetOnce) Drop() { s.max = 0 }

// SetMax sets it with the lock.
func (s *SetOnce) SetMax(max int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.max = max
}

// Twice reads it with the lock.
func (s *SetOnce) Twice() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.max + s.max
}

// Max reads it without.
func (s *SetOnce) Max() int { return s.max } // race

// Wrapped has methods that come with what it wraps: they read it, and take no lock.
type Wrapped struct {
	*Early
	mu sync.Mutex
	n  int
}

// Close lets go of it.
func (w *Wrapped) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Early = nil
	w.n++
}

// First reads it as they do.
func (w *Wrapped) First() string { return w.Names()[0] }

// N has a field that is not wrapped.
func (w *Wrapped) N() int { return w.n } // race

// Held has what it wraps as a field with a name.
type Held struct {
	mu  sync.Mutex
	all *Early
}

// Close lets go of it.
func (h *Held) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = nil
}

// First reads it.
func (h *Held) First() string { return h.all.Names()[0] } // race
