package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Atomic operations take their version and effect in one step, under a lock of the object,
// so that the order of the versions is the order in which they took effect: whether a
// compare-and-swap succeeds must agree with the trace. Each form is for functions of one
// shape; what an operation is called on, and its operands, are evaluated before.

// owners is the objects that an atomic operation is an access to: one that is named, or those whose
// fields lead to what is accessed.
type owners struct {
	named   *object
	reached []*object
	user    *user // what the goroutine does to the named one, if it may be left out, or what is like it
	left    bool  // it is left out
}

// exactly begins an atomic operation.
func (g *Goroutine) exactly(op trace.Op, p unsafe.Pointer, ref Ref) owners {
	if g.off || p == nil {
		return owners{}
	}
	if ref.isReached() {
		return owners{reached: g.reachedFrom(op, p, ref)}
	}
	o := g.objectAt(unsafe.Add(p, -int(ref.offset())), ref.class())
	if o == nil {
		return owners{}
	}
	g.stop(op, o, ref)
	if reducing {
		return g.exactlyReduced(op, o, ref)
	}
	o.exact.lock()
	return owners{named: o}
}

// took records the operation that exactly has begun.
func (g *Goroutine) took(of owners, op trace.Op, ref Ref) {
	switch o := of.named; {
	case of.user != nil:
		g.tookReduced(of, op, ref)
	case of.left:
	case o != nil:
		version, _ := o.take(op, ref.site())
		o.exact.unlock()
		g.record(op, ref.site(), o.number, version)
	}
	for _, o := range of.reached {
		g.accessed(op, o, ref)
	}
	g.released()
}

// Atomic0 is f(), as x.f.Load().
func Atomic0[T, R any](g *Goroutine, op uint8, p *T, ref Ref, f func() R) R {
	o := g.exactly(trace.Op(op), unsafe.Pointer(p), ref)
	r := f()
	g.took(o, trace.Op(op), ref)
	return r
}

// Atomic1 is f(a), as x.f.Add(1) or atomic.LoadInt64(&x.f).
func Atomic1[T, A, R any](g *Goroutine, op uint8, p *T, ref Ref, f func(A) R, a A) R {
	o := g.exactly(trace.Op(op), unsafe.Pointer(p), ref)
	r := f(a)
	g.took(o, trace.Op(op), ref)
	return r
}

// Atomic2 is f(a, b), as atomic.AddInt64(&x.f, 1).
func Atomic2[T, A, B, R any](g *Goroutine, op uint8, p *T, ref Ref, f func(A, B) R, a A, b B) R {
	o := g.exactly(trace.Op(op), unsafe.Pointer(p), ref)
	r := f(a, b)
	g.took(o, trace.Op(op), ref)
	return r
}

// Store1 is f(a), as x.f.Store(1).
func Store1[T, A any](g *Goroutine, op uint8, p *T, ref Ref, f func(A), a A) {
	o := g.exactly(trace.Op(op), unsafe.Pointer(p), ref)
	f(a)
	g.took(o, trace.Op(op), ref)
}

// Store2 is f(a, b), as atomic.StoreInt64(&x.f, 1).
func Store2[T, A, B any](g *Goroutine, op uint8, p *T, ref Ref, f func(A, B), a A, b B) {
	o := g.exactly(trace.Op(op), unsafe.Pointer(p), ref)
	f(a, b)
	g.took(o, trace.Op(op), ref)
}

// Swap2 is f(a, b), as x.f.CompareAndSwap(0, 1). One that fails is a read.
func Swap2[T, A, B any](g *Goroutine, op uint8, p *T, ref Ref, f func(A, B) bool, a A, b B) bool {
	o := g.exactly(trace.Op(op), unsafe.Pointer(p), ref)
	done := f(a, b)
	g.took(o, swapped(op, done), ref)
	return done
}

// Swap3 is f(a, b, c), as atomic.CompareAndSwapInt64(&x.f, 0, 1).
func Swap3[T, A, B, C any](g *Goroutine, op uint8, p *T, ref Ref, f func(A, B, C) bool, a A, b B, c C) bool {
	o := g.exactly(trace.Op(op), unsafe.Pointer(p), ref)
	done := f(a, b, c)
	g.took(o, swapped(op, done), ref)
	return done
}

func swapped(op uint8, done bool) trace.Op {
	if done {
		return trace.Op(op)
	}
	return trace.AtomicRead
}

// Variables stands for the package variables of a class.
func Variables(ref Ref) *byte { return &variableSets[ref.class()] }
