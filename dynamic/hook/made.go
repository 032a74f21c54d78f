package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Made returns the address of an object that the goroutine has just made, or one that has the
// object at the offset of ref.
func Made[T any](g *Goroutine, p *T, ref Ref) *T {
	g.made(unsafe.Pointer(p), ref)
	if steering != nil && ref.offset() == 0 {
		typed[T](objects.find(objectKey(uintptr(unsafe.Pointer(p)), ref.class())))
	}
	return p
}

// MadeApart is Made for an object that is followed, because what it leads to may be shared when it is
// not: it is put into the heap.
func MadeApart[T any](g *Goroutine, p *T, ref Ref) *T {
	if leak.happens {
		leak.to = unsafe.Pointer(p)
	}
	return Made(g, p, ref)
}

// The compiler does not know that leak never happens.
var leak struct {
	happens bool
	to      unsafe.Pointer
}

// maxElements is how many elements of a new slice are known to be new.
const maxElements = 64

// MadeSlice is Made for the elements of a slice.
func MadeSlice[S ~[]T, T any](g *Goroutine, s S, ref Ref) S {
	for i := range s[:min(len(s), maxElements)] {
		g.made(unsafe.Pointer(&s[i]), ref)
	}
	return s
}

// Escaping returns a value after which others may learn of what the goroutine has made.
func Escaping[T any](g *Goroutine, v T) T {
	if g.fresh {
		g.fresh = false
		g.published++
		g.speaks()
		g.record(trace.Escape, 0, 0, 0)
	}
	return v
}

func (g *Goroutine) made(p unsafe.Pointer, ref Ref) {
	if g.off {
		return
	}
	p = unsafe.Add(p, ref.offset())
	objects.add(g, p, ref.class(), objectKey(uintptr(p), ref.class()), true)
}
