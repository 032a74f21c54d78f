package hook

import (
	"sync/atomic"
	"unsafe"
)

// led is that it is known of what is at an address, a pointer, slice or map, where it leads, and who owns that memory:
// the registry need not be told again as long as it forgets nothing, and no memory is collected. What one goroutine
// has told it holds for all, so there is one table for all. It may have forgotten more than that.
type led struct {
	state  atomic.Uint32 // odd while somebody writes the rest; changes with it
	at, to atomic.Uintptr
	from   atomic.Uint64
	since  atomic.Uint64
}

const ledBits = 15

var allLed [1 << ledBits]led

// ledFrom returns the first of the two places where that may be noted of what is at an address.
func ledFrom(p unsafe.Pointer) uint64 {
	return uint64(uintptr(p)) * 0x9e3779b97f4a7c15 >> (64 - ledBits)
}

// isLed tells whether it is known where what is at an address leads.
func isLed(from *ownership, p, to unsafe.Pointer) bool {
	i, since := ledFrom(p), ledSince()
	return allLed[i].is(from, p, to, since) || allLed[i^1].is(from, p, to, since)
}

// noteLed notes that, as it was since then, in the place of what is of another address and not so new, if it can.
func noteLed(from *ownership, p, to unsafe.Pointer, since uint64) {
	i := ledFrom(p)
	if l := &allLed[i]; l.since.Load() == since && l.at.Load() != uintptr(p) {
		i ^= 1
	}
	allLed[i].set(from, p, to, since)
}

// ledSince is the collections there have been, and how often the registry has forgotten an owner.
func ledSince() uint64 { return uint64(platformCycle())<<32 | uint64(losses.Load()) }

// name tells ownerships apart: where a field is in its object is known by its number.
func (o *ownership) name() uint64 {
	name := uint64(o.owner.number)<<32 | uint64(o.field)<<1
	if o.direct {
		name |= 1
	}
	return name
}

// is tells whether that is what is known, since then.
func (l *led) is(from *ownership, p, to unsafe.Pointer, since uint64) bool {
	state := l.state.Load()
	return state&1 == 0 && l.at.Load() == uintptr(p) && l.to.Load() == uintptr(to) && l.from.Load() == from.name() &&
		l.since.Load() == since && l.state.Load() == state
}

// set notes that. If somebody else notes something there it is left to them.
func (l *led) set(from *ownership, p, to unsafe.Pointer, since uint64) {
	state := l.state.Load()
	if state&1 != 0 || !l.state.CompareAndSwap(state, state+1) {
		return
	}
	l.at.Store(uintptr(p))
	l.to.Store(uintptr(to))
	l.from.Store(from.name())
	l.since.Store(since)
	l.state.Store(state + 2)
}
