package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// What a field leads to counts as the field: nodes of a list, elements behind pointers. Which
// object owns such memory is noted when a pointer to it is read from the field, or from other
// memory that the object owns. The class of a Ref to such an access is the number of the field.

// ownedClass is the class of memory that an object owns.
const ownedClass = 1<<16 - 1

// ownership is which object owns memory: through the field with a number, which is, or leads to, the
// pointer at an offset in the object.
type ownership struct {
	owner  *object
	field  uint16
	offset uintptr
}

// leads notes that what is at p, a pointer, slice or map, leads to memory that the object owns.
func (g *Goroutine) leads(from ownership, p unsafe.Pointer) {
	to := *(*unsafe.Pointer)(p)
	if to == nil {
		return
	}
	base := platformBase(to)
	if base == 0 {
		return
	}
	key := objectKey(base, ownedClass)
	o := objects.find(key)
	if o == nil {
		if o = objects.add(g, *(*unsafe.Pointer)(unsafe.Pointer(&base)), ownedClass, key, true); o == nil {
			return
		}
	}
	if old := o.from.Load(); old == nil || *old != from {
		o.from.Store(new(from))
	}
}

// ownerOf returns who owns the memory at p through the field of ref, nil if nobody does.
func ownerOf(p unsafe.Pointer, ref Ref) *ownership {
	base := platformBase(p)
	memory := objects.known(objectKey(base, ownedClass), base)
	if memory == nil {
		return nil
	}
	from := memory.from.Load()
	if from == nil || from.field != ref.class() {
		return nil
	}
	return from
}

// owned records an access to memory that an object owns through the field of ref.
func (g *Goroutine) owned(op trace.Op, p unsafe.Pointer, ref Ref) *ownership {
	if g.off || p == nil {
		return nil
	}
	from := ownerOf(p, ref)
	if from != nil {
		g.ownedAccess(op, from.owner, ref)
	}
	return from
}

func (g *Goroutine) ownedAccess(op trace.Op, owner *object, ref Ref) {
	if g.slow {
		g.point(op, ref.site(), owner.number)
	}
	g.record(op, ref.site(), owner.number, owner.version.Add(1)-1)
}

// LoadOwned is Load for a field of memory that an object may own. The offset of ref is 1 if the
// field leads on.
func LoadOwned[F any](g *Goroutine, p *F, ref Ref) F {
	ReadOwned(g, p, ref)
	return *p
}

// ReadOwned is Read, likewise.
func ReadOwned[F any](g *Goroutine, p *F, ref Ref) *F {
	if from := g.owned(trace.Read, unsafe.Pointer(p), ref); from != nil && ref.offset() != 0 {
		g.leads(*from, unsafe.Pointer(p))
	}
	return p
}

// WriteOwned is Write.
func WriteOwned[F any](g *Goroutine, p *F, ref Ref) *F {
	g.owned(trace.Write, unsafe.Pointer(p), ref)
	return p
}

// WroteOwned is Wrote.
func WroteOwned[F any](g *Goroutine, p *F, ref Ref) None {
	g.owned(trace.Write, unsafe.Pointer(p), ref)
	return None{}
}

// Leading returns the address of a field that has just been named in an access by ref, after noting
// that the field with that number leads to memory.
func Leading[F any](g *Goroutine, p *F, ref Ref, field uint16) *F {
	if g.off {
		return p
	}
	if o := g.objectAt(unsafe.Add(unsafe.Pointer(p), -int(ref.offset())), ref.class()); o != nil {
		g.leads(ownership{o, field, ref.offset()}, unsafe.Pointer(p))
	}
	return p
}
