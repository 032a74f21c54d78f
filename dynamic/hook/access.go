package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// access records an access. p is the address of what is accessed, or of anything else at the
// offset of ref in the object; or it is memory that a field leads to.
func (g *Goroutine) access(op trace.Op, p unsafe.Pointer, ref Ref) {
	if g.off || p == nil {
		return
	}
	if ref.isReached() {
		if !isNobodys(p, ref) {
			g.reached(op, p, ref)
		}
		return
	}
	p = unsafe.Add(p, -int(ref.offset()))
	if reducing && !g.slow {
		key := objectKey(uintptr(p), ref.class())
		w := g.wayTo(key)
		if w == nil {
			g.accessFar(op, p, ref, key)
		} else if g.hush.state.Load() == loud || !g.notesAccess(op, w.object, ref.site(), 1) {
			g.reducedLoudly(w.user, op, w.object, ref.site())
		}
		return
	}
	if o := g.objectAt(p, ref.class()); o != nil {
		g.stop(op, o, ref)
		g.named = o.number
		g.accessed(op, o, ref)
	}
}

// accessFar is access for an object that the goroutine does not remember, where accesses may be left out.
func (g *Goroutine) accessFar(op trace.Op, p unsafe.Pointer, ref Ref, key uint64) {
	o := g.lookFor(p, ref.class(), key)
	if o != nil && (g.hush.state.Load() == loud || !g.notesAccess(op, o, ref.site(), 1)) {
		g.reducedLoudly(nil, op, o, ref.site())
	}
}

// Load reads a field.
func Load[F any](g *Goroutine, p *F, ref Ref) F {
	g.access(trace.Read, unsafe.Pointer(p), ref)
	return *p
}

// Read returns the address of a field that is about to be read.
func Read[F any](g *Goroutine, p *F, ref Ref) *F {
	g.access(trace.Read, unsafe.Pointer(p), ref)
	return p
}

// Write returns the address of a field that is about to be written.
func Write[F any](g *Goroutine, p *F, ref Ref) *F {
	g.access(trace.Write, unsafe.Pointer(p), ref)
	return p
}

// None is what stands opposite _ in an assignment.
type None struct{}

// Wrote is Write as the last operand of an assignment: x.f, _ = y, Wrote(g, &x.f, ref). Go
// evaluates the operands from left to right and then assigns.
func Wrote[F any](g *Goroutine, p *F, ref Ref) None {
	g.access(trace.Write, unsafe.Pointer(p), ref)
	return None{}
}

// Cell is a field that is about to be assigned to.
type Cell[F any] struct {
	g   *Goroutine
	p   *F
	ref Ref
}

// At is the field at p: At(g, &x.f, ref).Set(y).
func At[F any](g *Goroutine, p *F, ref Ref) Cell[F] { return Cell[F]{g, p, ref} }

// Set writes the field.
func (c Cell[F]) Set(v F) {
	c.g.access(trace.Write, unsafe.Pointer(c.p), c.ref)
	*c.p = v
}

// Atomic returns the address of a field that is about to be accessed atomically, by an operation op.
func Atomic[F any](g *Goroutine, op uint8, p *F, ref Ref) *F {
	g.access(trace.Op(op), unsafe.Pointer(p), ref)
	return p
}

// Whole returns the address of an object of which all fields of a set are about to be
// read, or written. Their sites are ref and the n-1 after it.
func Whole[T any](g *Goroutine, op uint8, p *T, ref Ref, n int) *T {
	g.accessWhole(trace.Op(op), unsafe.Pointer(p), ref, n)
	return p
}

// accessWhole is access for n sites, of which ref is the first, at one address.
func (g *Goroutine) accessWhole(op trace.Op, p unsafe.Pointer, ref Ref, n int) {
	if g.off || p == nil || g.slow || ref.isReached() || !reducing {
		for i := range n {
			g.access(op, p, ref+Ref(i))
		}
		return
	}
	p = unsafe.Add(p, -int(ref.offset()))
	key := objectKey(uintptr(p), ref.class())
	if w := g.wayTo(key); w != nil {
		g.reducedAll(op, w.object, ref.site(), uint32(n))
	} else if o := g.lookFor(p, ref.class(), key); o != nil {
		g.reducedAll(op, o, ref.site(), uint32(n))
	}
}

// WroteWhole is Whole for the last operand of an assignment.
func WroteWhole[T any](g *Goroutine, p *T, ref Ref, n int) None {
	Whole(g, uint8(trace.Write), p, ref, n)
	return None{}
}

// Variable records an access to a package variable; these have one object for each set.
func (g *Goroutine) Variable(op uint8, ref Ref) None {
	if g.off {
		return None{}
	}
	o := objects.variables(g, ref.class())
	g.stop(trace.Op(op), o, ref)
	g.accessed(trace.Op(op), o, ref)
	return None{}
}

// LoadVariable reads a package variable.
func LoadVariable[V any](g *Goroutine, p *V, ref Ref) V {
	g.Variable(uint8(trace.Read), ref)
	return *p
}

// ReadVariable returns the address of a package variable that is about to be read.
func ReadVariable[V any](g *Goroutine, p *V, ref Ref) *V {
	g.Variable(uint8(trace.Read), ref)
	return p
}

// WriteVariable returns the address of a package variable that is about to be written.
func WriteVariable[V any](g *Goroutine, p *V, ref Ref) *V {
	g.Variable(uint8(trace.Write), ref)
	return p
}

var variableSets [1 << 16]byte // their addresses stand for the sets

func (t *objectTable) variables(g *Goroutine, class uint16) *object {
	return g.objectAt(unsafe.Pointer(&variableSets[class]), class)
}

// WroteVariable is WriteVariable as the last operand of an assignment.
func WroteVariable[V any](g *Goroutine, p *V, ref Ref) None {
	return g.Variable(uint8(trace.Write), ref)
}

// AtomicVariable returns the address of a package variable that is about to be accessed
// atomically.
func AtomicVariable[V any](g *Goroutine, op uint8, p *V, ref Ref) *V {
	g.Variable(op, ref)
	return p
}
