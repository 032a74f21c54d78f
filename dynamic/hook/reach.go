package hook

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// This is how the owners of memory are found where one goroutine runs at a time: from the field of
// each object of the class, all that it leads to at that moment is followed. So it does not matter
// how the memory came to be there, when, and who else has it.

// reach returns the objects whose field leads to some of the memory, or has led there by what the registry
// says, after the goroutine has waited for its turn to access it.
func (g *Goroutine) reach(op trace.Op, to spans, ref Ref, led []ownership) []*object {
	f := watchedFields[ref.field()]
	if f == nil {
		return nil
	}
	var all []*object
	for _, o := range f.owners(g) {
		if slices.ContainsFunc(led, func(from ownership) bool { return from.owner == o }) || f.reaches(o, to) {
			g.point(op, ref.site(), o.number)
			all = append(all, o)
		}
	}
	return all
}

// reaches tells whether the field of an object is, or leads to, some of the memory.
func (f *watchedField) reaches(o *object, to spans) bool {
	p, t := f.cell(o)
	if p == nil {
		return false
	}
	reached := false
	walk(t, p, func(_ reflect.Type, p unsafe.Pointer, size uintptr) bool {
		reached = to.touches(uintptr(p), uintptr(p)+size)
		return reached
	})
	return reached
}

// walk calls found for the memory at p and all that it leads to, until that returns true.
func walk(t reflect.Type, p unsafe.Pointer, found func(t reflect.Type, p unsafe.Pointer, size uintptr) bool) {
	w := walker{found: found, left: min(maxSteps, allSteps)}
	before := w.left
	w.memory(t, p, 1, 1)
	allSteps -= before - w.left
}

// operand is an access through an operand of a call that is recorded: other operands may lead to the
// same memory.
type operand struct{ site, object uint32 }

// reachDeep is reach for all that the value of a type at p leads to: the code that it is
// handed to may access any of it. Objects of a class are known from then on.
func (g *Goroutine) reachDeep(op trace.Op, t reflect.Type, p unsafe.Pointer, ref Ref) {
	f := watchedFields[ref.field()]
	if f == nil {
		return
	}
	var all []span
	walk(t, p, func(t reflect.Type, p unsafe.Pointer, size uintptr) bool {
		if class := classes[t]; class != 0 {
			g.objectAt(p, class)
		}
		all = append(all, span{uintptr(p), uintptr(p) + size})
		return false
	})
	if ref.says(isFirst) {
		g.operands = g.operands[:0]
	}
	for _, o := range g.reach(op, merged(all), ref, nil) {
		if this := (operand{ref.site(), o.number}); !slices.Contains(g.operands, this) {
			g.operands = append(g.operands, this)
			g.accessed(op, o, ref)
		}
	}
}
