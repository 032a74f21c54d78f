package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// The elements of a slice or map in a field count as the field, also where they are reached through a
// variable that the field was read into. They do as long as the field still holds that slice or map:
// who has taken it out of the field has it alone.

// contents records an access to an element of the slice or map at p.
func (g *Goroutine) contents(op trace.Op, p unsafe.Pointer, ref Ref) {
	elements := *(*unsafe.Pointer)(p)
	if g.off || elements == nil {
		return
	}
	from := ownerOf(elements, ref)
	if from != nil && from.holds(elements) {
		g.ownedAccess(op, from.owner, ref)
	}
}

// holds tells whether the field that has led to an address leads to the same memory now.
func (from *ownership) holds(p unsafe.Pointer) bool {
	object := unsafe.Pointer(from.owner.alive.Value())
	if from.owner.static { // it has no weak pointer
		address := uintptr(from.owner.key & (1<<48 - 1))
		object = *(*unsafe.Pointer)(unsafe.Pointer(&address))
	}
	return object != nil && platformBase(*(*unsafe.Pointer)(unsafe.Add(object, from.offset))) == platformBase(p)
}

// LoadContents returns a slice or map of which an element is about to be read.
func LoadContents[S any](g *Goroutine, p *S, ref Ref) S {
	g.contents(trace.Read, unsafe.Pointer(p), ref)
	return *p
}

// ReadContents is LoadContents that returns the address.
func ReadContents[S any](g *Goroutine, p *S, ref Ref) *S {
	g.contents(trace.Read, unsafe.Pointer(p), ref)
	return p
}

// WriteContents returns the address of a slice or map of which an element is about to be written.
func WriteContents[S any](g *Goroutine, p *S, ref Ref) *S {
	g.contents(trace.Write, unsafe.Pointer(p), ref)
	return p
}

// WroteContents is WriteContents as the last operand of an assignment.
func WroteContents[S any](g *Goroutine, p *S, ref Ref) None {
	g.contents(trace.Write, unsafe.Pointer(p), ref)
	return None{}
}
