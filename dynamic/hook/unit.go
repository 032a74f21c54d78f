package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Unit begins a unit of work on whatever object.
func (g *Goroutine) Unit(site uint32) { g.begins(site, 0) }

// begins begins a unit.
func (g *Goroutine) begins(site, object uint32) {
	if reducing && !g.off {
		g.begunAll(site, object, 1, 1)
		return
	}
	g.frame(trace.UnitBegin, site, object)
}

// UnitEnd ends the innermost unit; it is deferred.
func (g *Goroutine) UnitEnd() { g.frame(trace.UnitEnd, 0, 0) }

// UnitEnds ends the innermost n units; it is deferred.
func (g *Goroutine) UnitEnds(n int) {
	if !g.off && reducing && (g.notesEnds(n) || g.dropsFrames(n) || g.endsAtOnce(n)) {
		return
	}
	for range n {
		g.frame(trace.UnitEnd, 0, 0)
	}
}

// Split ends a unit on whatever object and begins the next one. It returns true.
func (g *Goroutine) Split(site uint32) bool {
	g.frame(trace.UnitSplit, site, 0)
	return true
}

func (g *Goroutine) frame(op trace.Op, site, object uint32) {
	switch {
	case g.off:
	case reducing:
		g.framed(op, site, object)
	default:
		g.record(op, site, object, 0)
		if g.slow && steering != nil {
			steering.frame(g, op, site)
		}
	}
}

// UnitOn begins a unit on an object.
func UnitOn[T any](g *Goroutine, p *T, ref Ref) {
	if g.off {
		return
	}
	g.begins(ref.site(), g.numberAt(unsafe.Pointer(p), ref))
	if steering != nil {
		typed[T](objects.find(objectKey(uintptr(unsafe.Pointer(p)), ref.class())))
	}
}

// Units begins n units, whose sites are ref and those after it: on the object for the bits of on, else on whatever
// object.
func Units[T any](g *Goroutine, p *T, ref Ref, on uint16, n int) {
	if g.off {
		return
	}
	if reducing {
		object := uint32(0)
		if on != 0 {
			object = g.numberAt(unsafe.Pointer(p), ref)
		}
		g.begunAll(ref.site(), object, on, n)
		return
	}
	for i := range n {
		if on>>i&1 != 0 {
			UnitOn(g, p, ref+Ref(i))
		} else {
			g.Unit(ref.site() + uint32(i))
		}
	}
}

// UnitIn begins a unit on the object in which p is embedded. If it is not known, it is no
// object that was accessed before, and perhaps none at all.
func UnitIn[T any](g *Goroutine, p *T, ref Ref) {
	if g.off {
		return
	}
	number := noObject
	if o := objects.find(objectKey(uintptr(unsafe.Pointer(p))-ref.offset(), ref.class())); o != nil {
		number = o.number
	}
	g.begins(ref.site(), number)
}

// UnitBehind begins a unit on the object whose field of ref leads to p: of several, one.
func UnitBehind[T any](g *Goroutine, p *T, ref Ref) {
	if g.off {
		return
	}
	number := noObject
	if o := g.ownerOf(unsafe.Pointer(p), ref); o != nil {
		number = o.number
	}
	g.begins(ref.site(), number)
}

// UnitWith lets an object join the unit that has just begun.
func UnitWith[T any](g *Goroutine, p *T, ref Ref) {
	if g.off || p == nil {
		return
	}
	if n := g.numberAt(unsafe.Pointer(p), ref); n != noObject {
		g.frame(trace.UnitWith, ref.site(), n)
	}
}

// noObject is the receiver of a unit on an object that nobody else can reach.
const noObject uint32 = 1

func (g *Goroutine) numberAt(p unsafe.Pointer, ref Ref) uint32 {
	if p == nil {
		return noObject
	}
	p = unsafe.Add(p, -int(ref.offset()))
	key := objectKey(uintptr(p), ref.class())
	if w := g.wayTo(key); w != nil {
		return w.object.number
	}
	if o := g.lookFor(p, ref.class(), key); o != nil {
		return o.number
	}
	return noObject
}

// UnitWithDynamic is UnitWith for the object in an interface: it joins if accesses have made
// it known.
func (g *Goroutine) UnitWithDynamic(v any, ref Ref) {
	if g.off || v == nil {
		return
	}
	p := (*words)(unsafe.Pointer(&v)).data
	if o := objects.find(objectKey(uintptr(p), ref.class())); o != nil {
		g.frame(trace.UnitWith, ref.site(), o.number)
	}
}
