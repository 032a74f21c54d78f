package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// memoryClass is the class of locations that belong to no watched type, in programs that are recorded in full: local
// variables, elements of slices, what pointers lead to. Each is an object of its own, at its address, and so are the
// entries of a map.
const memoryClass = reachedClass - 1

// hasOwner tells whether what is of a class is an object with fields, of which it is followed who knows it.
func hasOwner(class uint16) bool { return class != 0 && class != ownedClass && class != memoryClass }

// Entry is m[k] with an access to the entries of the map: Entry(g, op, m, ref)[k].
func Entry[M ~map[K]V, K comparable, V any](g *Goroutine, op uint8, m M, ref Ref) M {
	if m != nil {
		g.access(trace.Op(op), *(*unsafe.Pointer)(unsafe.Pointer(&m)), ref)
	}
	return m
}

// WroteEntry is Entry for a write as the last operand of an assignment.
func WroteEntry[M ~map[K]V, K comparable, V any](g *Goroutine, m M, ref Ref) None {
	Entry(g, uint8(trace.Write), m, ref)
	return None{}
}

// Element is the address of an element, nil if there is none any more.
func Element[S ~[]E, E any](s S, i int) *E {
	if i >= len(s) {
		return nil
	}
	return &s[i]
}

// Elements accesses all elements of a slice.
func Elements[S ~[]E, E any](g *Goroutine, op uint8, s S, ref Ref) S {
	for i := range s {
		g.access(trace.Op(op), unsafe.Pointer(&s[i]), ref)
	}
	return s
}

// Appending is s, to which so many elements are about to be appended: those behind its end are written if there is room
// for all of them, else all are read, and go where nobody else is.
func Appending[S ~[]E, E any](g *Goroutine, s S, more int, read, write Ref) S {
	if more <= cap(s)-len(s) {
		Elements(g, uint8(trace.Write), s[len(s):len(s)+more], write)
	} else {
		Elements(g, uint8(trace.Read), s, read)
	}
	return s
}

// Append is append(s, from...).
func Append[S ~[]E, F ~[]E, E any](g *Goroutine, s S, from F, read, write, readFrom Ref) S {
	from = Elements(g, uint8(trace.Read), from, readFrom)
	return append(Appending(g, s, len(from), read, write), from...)
}
