package hook

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Add is w.Add(n).
func (g *Goroutine) Add(site uint32, w *sync.WaitGroup, n int) {
	op := trace.Add
	if n < 0 {
		op = trace.Done
	}
	g.before(op, site, unsafe.Pointer(w))
	w.Add(n)
}

// Done is w.Done().
func (g *Goroutine) Done(site uint32, w *sync.WaitGroup) {
	g.before(trace.Done, site, unsafe.Pointer(w))
	w.Done()
}

// Wait is w.Wait().
func (g *Goroutine) Wait(site uint32, w *sync.WaitGroup) {
	g.wait(trace.Wait, site, unsafe.Pointer(w), w.Wait)
}

// wait carries out an operation that may block and cannot be tried.
func (g *Goroutine) wait(op trace.Op, site uint32, p unsafe.Pointer, block func()) {
	switch {
	case g.off || p == nil:
		block()
		return
	case g.slow:
		g.perform(op, site, g.syncNumber(p), nil, block)
	default:
		g.waits(op, site, p)
		block()
	}
	g.synced(op, site, p)
}

// GoGroup is w.Go(f).
func (g *Goroutine) GoGroup(site uint32, w *sync.WaitGroup, f func()) {
	if g.off || w == nil || f == nil {
		w.Go(f)
		return
	}
	g.before(trace.Add, site, unsafe.Pointer(w))
	c := g.Fork(site)
	w.Go(func() {
		g := c.Begin()
		defer g.End()
		defer g.before(trace.Done, site, unsafe.Pointer(w))
		f()
	})
}

// Once is o.Do(f).
func (g *Goroutine) Once(site uint32, o *sync.Once, f func()) {
	if g.off || o == nil {
		o.Do(f)
		return
	}
	p, called := unsafe.Pointer(o), false
	do := func() {
		o.Do(func() {
			called = true
			g.synced(trace.OnceBegin, site, p)
			defer g.synced(trace.OnceEnd, site, p)
			f()
		})
	}
	if g.slow {
		g.perform(trace.OnceBegin, site, g.syncNumber(p), func() bool { return isFree(o) }, do)
	} else {
		do()
	}
	if !called {
		g.synced(trace.OnceDone, site, p)
	}
}

// isFree tells whether Do would not wait for a call that is under way.
func isFree(o *sync.Once) bool {
	field, _ := reflect.TypeFor[sync.Once]().FieldByName("m")
	if field.Type != reflect.TypeFor[sync.Mutex]() {
		return true // a Once of another form: it is seen when it waits
	}
	m := (*sync.Mutex)(unsafe.Add(unsafe.Pointer(o), field.Offset))
	free := m.TryLock()
	if free {
		m.Unlock()
	}
	return free
}

// CondWait is c.Wait().
func (g *Goroutine) CondWait(site uint32, c *sync.Cond) {
	if g.off || c == nil {
		c.Wait()
		return
	}
	locks := lockOf(c.L)
	if locks != nil {
		g.before(trace.Unlock, site, locks)
	} else {
		g.losesAll()
	}
	if steering != nil {
		steering.await(g, site, c)
		g.synced(trace.CondWait, site, unsafe.Pointer(c))
	} else {
		g.wait(trace.CondWait, site, unsafe.Pointer(c), c.Wait)
	}
	if locks != nil {
		g.synced(trace.Lock, site, locks)
	}
}

// lockOf returns the lock behind a Locker, nil if that is none of package sync.
func lockOf(l sync.Locker) unsafe.Pointer {
	switch m := l.(type) {
	case *sync.Mutex:
		return unsafe.Pointer(m)
	case *sync.RWMutex:
		return unsafe.Pointer(m)
	}
	return unsafe.Pointer(readLocked(l))
}

// Signal is c.Signal().
func (g *Goroutine) Signal(site uint32, c *sync.Cond) {
	g.before(trace.Signal, site, unsafe.Pointer(c))
	if steering != nil && c != nil {
		steering.signal(c, false)
		return
	}
	c.Signal()
}

// Broadcast is c.Broadcast().
func (g *Goroutine) Broadcast(site uint32, c *sync.Cond) {
	g.before(trace.Broadcast, site, unsafe.Pointer(c))
	if steering != nil && c != nil {
		steering.signal(c, true)
		return
	}
	c.Broadcast()
}
