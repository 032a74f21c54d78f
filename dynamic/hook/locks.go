package hook

import (
	"sync"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// synced records an operation on a synchronisation object.
func (g *Goroutine) synced(op trace.Op, site uint32, p unsafe.Pointer) {
	if reducing && op >= trace.Lock && op <= trace.TryLockFailed {
		g.locked(op, site, p)
		return
	}
	if reducing {
		g.speaks()
	}
	g.lets(op)
	if o := g.objectAt(p, 0); o != nil {
		version, _ := o.take(op, site)
		g.record(op, site, o.number, version)
	}
}

// syncNumber is the number of a synchronisation object, for the conductor.
func (g *Goroutine) syncNumber(p unsafe.Pointer) uint32 {
	if o := g.objectAt(p, 0); o != nil {
		return o.number
	}
	return 0
}

// acquire takes a lock.
func (g *Goroutine) acquire(op trace.Op, site uint32, p unsafe.Pointer, try func() bool, block func()) {
	switch {
	case p == nil || g.off:
		block()
		return
	case g.slow:
		g.perform(op, site, g.syncNumber(p), try, block)
	default:
		if !try() {
			g.waits(op, site, p)
			block()
		}
	}
	g.synced(op, site, p)
}

// before records an operation that lets others go on, directly before it.
func (g *Goroutine) before(op trace.Op, site uint32, p unsafe.Pointer) {
	if g.off || p == nil {
		return
	}
	if g.slow {
		g.point(op, site, g.syncNumber(p))
	}
	g.synced(op, site, p)
}

// Lock is m.Lock(). Without steering or noise it is taken here: the functions that acquire
// is given would be allocated each time.
func (g *Goroutine) Lock(site uint32, m *sync.Mutex) {
	if g.slow || m == nil {
		g.acquire(trace.Lock, site, unsafe.Pointer(m), m.TryLock, m.Lock)
		return
	}
	if !m.TryLock() {
		g.waits(trace.Lock, site, unsafe.Pointer(m))
		m.Lock()
	}
	g.synced(trace.Lock, site, unsafe.Pointer(m))
}

// Unlock is m.Unlock().
func (g *Goroutine) Unlock(site uint32, m *sync.Mutex) {
	g.before(trace.Unlock, site, unsafe.Pointer(m))
	m.Unlock()
	g.released()
}

// UnlockLast is m.Unlock() after which a function with so many frames accesses nothing more.
func (g *Goroutine) UnlockLast(site uint32, m *sync.Mutex, frames int) {
	g.beforeLast(trace.Unlock, site, unsafe.Pointer(m), frames)
	m.Unlock()
	g.released()
}

// If is so many frames if a condition holds, under which a function accesses nothing more; else none.
func If[B ~bool](holds B, frames int) int {
	if holds {
		return frames
	}
	return 0
}

// beforeLast is before, and rest behind it.
func (g *Goroutine) beforeLast(op trace.Op, site uint32, p unsafe.Pointer, frames int) {
	switch {
	case !reducing || g.off || g.slow || p == nil:
		g.before(op, site, p)
	case g.lockedLast(op, site, p, frames):
		return
	}
	g.rest(frames)
}

// WUnlockLast is UnlockLast for a lock with readers.
func (g *Goroutine) WUnlockLast(site uint32, m *sync.RWMutex, frames int) {
	g.beforeLast(trace.Unlock, site, unsafe.Pointer(m), frames)
	m.Unlock()
	g.released()
}

// RUnlockLast is UnlockLast for m.RUnlock().
func (g *Goroutine) RUnlockLast(site uint32, m *sync.RWMutex, frames int) {
	g.beforeLast(trace.RUnlock, site, unsafe.Pointer(m), frames)
	m.RUnlock()
	g.released()
}

// TryLock is m.TryLock().
func (g *Goroutine) TryLock(site uint32, m *sync.Mutex) bool {
	return g.tried(trace.Lock, site, unsafe.Pointer(m), m.TryLock)
}

// tried tries to take a lock.
func (g *Goroutine) tried(op trace.Op, site uint32, p unsafe.Pointer, try func() bool) bool {
	if p == nil || g.off {
		return try()
	}
	if g.slow {
		g.point(op, site, g.syncNumber(p))
	}
	taken := try()
	if !taken {
		op = trace.TryLockFailed
	}
	g.synced(op, site, p)
	return taken
}

// WLock is m.Lock().
func (g *Goroutine) WLock(site uint32, m *sync.RWMutex) {
	if g.slow || m == nil {
		g.acquire(trace.Lock, site, unsafe.Pointer(m), m.TryLock, m.Lock)
		return
	}
	if !m.TryLock() {
		g.waits(trace.Lock, site, unsafe.Pointer(m))
		m.Lock()
	}
	g.synced(trace.Lock, site, unsafe.Pointer(m))
}

// WUnlock is m.Unlock().
func (g *Goroutine) WUnlock(site uint32, m *sync.RWMutex) {
	g.before(trace.Unlock, site, unsafe.Pointer(m))
	m.Unlock()
	g.released()
}

// RLock is m.RLock().
func (g *Goroutine) RLock(site uint32, m *sync.RWMutex) {
	if g.slow || m == nil {
		g.acquire(trace.RLock, site, unsafe.Pointer(m), m.TryRLock, m.RLock)
		return
	}
	if !m.TryRLock() {
		g.waits(trace.RLock, site, unsafe.Pointer(m))
		m.RLock()
	}
	g.synced(trace.RLock, site, unsafe.Pointer(m))
}

// RUnlock is m.RUnlock().
func (g *Goroutine) RUnlock(site uint32, m *sync.RWMutex) {
	g.before(trace.RUnlock, site, unsafe.Pointer(m))
	m.RUnlock()
	g.released()
}

// TryWLock is m.TryLock().
func (g *Goroutine) TryWLock(site uint32, m *sync.RWMutex) bool {
	return g.tried(trace.Lock, site, unsafe.Pointer(m), m.TryLock)
}

// TryRLock is m.TryRLock().
func (g *Goroutine) TryRLock(site uint32, m *sync.RWMutex) bool {
	return g.tried(trace.RLock, site, unsafe.Pointer(m), m.TryRLock)
}

// LockerLock is l.Lock().
func (g *Goroutine) LockerLock(site uint32, l sync.Locker) {
	switch m := l.(type) {
	case *sync.Mutex:
		g.Lock(site, m)
	case *sync.RWMutex:
		g.WLock(site, m)
	default:
		if rw := readLocked(l); rw != nil {
			g.RLock(site, rw)
		} else if t, ok := l.(interface{ TryLock() bool }); ok { // a struct with a lock in it
			data := (*words)(unsafe.Pointer(&l)).data
			g.acquire(trace.Lock, site, data, t.TryLock, l.Lock)
			g.hands(data)
		} else {
			l.Lock()
		}
	}
}

// LockerUnlock is l.Unlock().
func (g *Goroutine) LockerUnlock(site uint32, l sync.Locker) {
	switch m := l.(type) {
	case *sync.Mutex:
		g.Unlock(site, m)
	case *sync.RWMutex:
		g.WUnlock(site, m)
	default:
		if rw := readLocked(l); rw != nil {
			g.RUnlock(site, rw)
		} else {
			if _, ok := l.(interface{ TryLock() bool }); ok {
				data := (*words)(unsafe.Pointer(&l)).data
				g.hands(data)
				g.before(trace.Unlock, site, data)
			}
			l.Unlock()
		}
	}
}

// words are the two of an interface value.
type words struct{ table, data unsafe.Pointer }

var readLocker = func() unsafe.Pointer {
	l := new(sync.RWMutex).RLocker()
	return (*words)(unsafe.Pointer(&l)).table
}()

// readLocked returns the lock of which l is the RLocker, nil if it is none.
func readLocked(l sync.Locker) *sync.RWMutex {
	if w := (*words)(unsafe.Pointer(&l)); w.table == readLocker {
		return (*sync.RWMutex)(w.data)
	}
	return nil
}
