package hook

import (
	"sync/atomic"
	"unsafe"
)

// led is that it is known of what is at an address, a pointer, slice or map, where it leads, and who owns that memory:
// the registry need not be told again as long as it forgets no owner of that memory, and no memory is collected. What
// one goroutine has told it holds for all, so there is one table for all. The table may forget more than that.
type led struct {
	state  atomic.Uint32 // odd while somebody writes the rest; changes with it
	at, to atomic.Uintptr
	from   atomic.Uint64 // the name of the ownership, and the number of the memory's losses
	since  atomic.Uint64 // the collections there had been, and the losses
}

const (
	ledBits  = 16
	lossBits = 12
)

var (
	allLed [1 << ledBits]led
	// losses counts how often the registry has forgotten an owner of memory. Some memory shares a number.
	losses [1 << lossBits]atomic.Uint32
)

// lossesOf returns the number of the losses of memory, by where that begins.
func lossesOf(base uintptr) uint64 { return uint64(base) * 0x9e3779b97f4a7c15 >> (64 - lossBits) }

// ledSince is what changes when something need be noted again.
func ledSince(loss uint64) uint64 { return uint64(platformCycle())<<32 | uint64(losses[loss].Load()) }

// ledFrom returns the first of the two places where that may be noted of what is at an address, for an owner's field.
func ledFrom(p unsafe.Pointer, from *ownership) uint64 {
	return (uint64(uintptr(p)) + uint64(from.field)<<48) * 0x9e3779b97f4a7c15 >> (64 - ledBits)
}

// isLed tells whether it is known where what is at an address leads.
func isLed(from *ownership, p, to unsafe.Pointer) bool {
	i := ledFrom(p, from)
	return allLed[i].is(from, p, to) || allLed[i^1].is(from, p, to)
}

// noteLed notes that, as it was since then: in the second place if the first one has what is as new of another address.
func noteLed(from *ownership, p, to unsafe.Pointer, loss, since uint64) {
	i := ledFrom(p, from)
	if l := &allLed[i]; l.since.Load()>>32 == since>>32 && l.at.Load() != uintptr(p) {
		i ^= 1
	}
	allLed[i].set(p, to, from.name()|loss<<16, since)
}

// name tells ownerships apart: where a field is in its object is known by its number.
func (o *ownership) name() uint64 {
	name := uint64(o.owner.number)<<32 | uint64(o.field)<<1
	if o.direct {
		name |= 1
	}
	return name
}

const lossMask = (1<<lossBits - 1) << 16

// is tells whether that is what is known.
func (l *led) is(from *ownership, p, to unsafe.Pointer) bool {
	state, known := l.state.Load(), l.from.Load()
	return state&1 == 0 && l.at.Load() == uintptr(p) && l.to.Load() == uintptr(to) && known&^lossMask == from.name() &&
		l.since.Load() == ledSince(known&lossMask>>16) && l.state.Load() == state
}

// set notes that. If somebody else notes something there it is left to them.
func (l *led) set(p, to unsafe.Pointer, from, since uint64) {
	state := l.state.Load()
	if state&1 != 0 || !l.state.CompareAndSwap(state, state+1) {
		return
	}
	l.at.Store(uintptr(p))
	l.to.Store(uintptr(to))
	l.from.Store(from)
	l.since.Store(since)
	l.state.Store(state + 2)
}
