package hook

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// That it is known of what is at an address, a pointer, slice or map, where it leads, and who owns that memory: the
// registry need not be told again as long as it forgets no owner of that memory, and no memory is collected. What one
// goroutine has told it holds for all, so there is one table for all. The table may forget more than that.
//
// An entry is one word: a hash of all of that, with the number of the memory's losses in its lower bits. So it is read
// and written at once, and eight of them are in a line of the processor's cache. That two things have one hash and one
// place is so rare that it does not count.
var allLed [1 << ledBits]atomic.Uint64

const (
	ledBits  = 16
	lossBits = 12
	lossMask = 1<<lossBits - 1
)

// losses counts how often the registry has forgotten an owner of memory. Some memory shares a number.
var losses [1 << lossBits]atomic.Uint32

// lossesOf returns the number of the losses of memory, by where that begins.
func lossesOf(base uintptr) uint64 { return uint64(base) * 0x9e3779b97f4a7c15 >> (64 - lossBits) }

// ledSince is what changes when something need be noted again.
func ledSince(loss uint64) uint64 { return uint64(platformCycle())<<32 | uint64(losses[loss].Load()) }

// ledFrom returns the first of the two places where that may be noted of what is at an address, for an owner's field.
func ledFrom(p unsafe.Pointer, from *ownership) uint64 {
	return (uint64(uintptr(p)) + uint64(from.field)<<48) * 0x9e3779b97f4a7c15 >> (64 - ledBits)
}

// ledWord is the entry of that, as it was since then.
func ledWord(from *ownership, p, to unsafe.Pointer, loss, since uint64) uint64 {
	h := bits.RotateLeft64(uint64(uintptr(p))*0x9e3779b97f4a7c15, 32) ^ uint64(uintptr(to))*0xd6e8feb86659fd93
	h = bits.RotateLeft64(h, 29)*0xa0761d6478bd642f ^ bits.RotateLeft64(from.name()*0xe7037ed1a0b428db, 17) ^ since
	h = (h ^ h>>32) * 0x8ebc6af09c88c6e3
	return h&^lossMask | loss
}

// isLed tells whether it is known where what is at an address leads.
func isLed(from *ownership, p, to unsafe.Pointer) bool {
	_, _, is := ledBy(from, p, to)
	return is
}

// ledBy is isLed, with the number of the memory's losses and since when it is known.
func ledBy(from *ownership, p, to unsafe.Pointer) (loss, since uint64, is bool) {
	i := ledFrom(p, from)
	for _, at := range [2]uint64{i, i ^ 1} {
		word := allLed[at].Load()
		loss = word & lossMask
		since = ledSince(loss)
		if word != 0 && word == ledWord(from, p, to, loss, since) {
			return loss, since, true
		}
	}
	return 0, 0, false
}

// noteLed notes that, as it was since then. What was noted in the first place goes to the second one.
func noteLed(from *ownership, p, to unsafe.Pointer, loss, since uint64) {
	i := ledFrom(p, from)
	allLed[i^1].Store(allLed[i].Load())
	allLed[i].Store(ledWord(from, p, to, loss, since))
}

// name tells ownerships apart: where a field is in its object is known by its number.
func (o *ownership) name() uint64 {
	name := uint64(o.owner.number)<<32 | uint64(o.field)<<1
	if o.direct {
		name |= 1
	}
	return name
}
