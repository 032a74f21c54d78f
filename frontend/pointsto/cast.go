package pointsto

import (
	"fmt"
	"go/types"
	"iter"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A cast is a conversion from an unsafe pointer.
type cast struct {
	instr *ssa.Convert
	local bool // from a pointer of known type, see viewed
	noted bool // as a hole
}

// castAll returns the labels as pointers to c.typ.
func (s *solver) castAll(c constraint, labels set) set {
	var out set
	for label := range labels.all {
		s.cast(label, c.typ, &s.casts[c.site], &out)
	}
	return out
}

// cast adds to out the label as a pointer to t: the cell itself, the aggregate that
// starts there, or the first part of it, if that has the type or is laid out like it.
// Otherwise it becomes the label of all memory that a t there may cover, as another type.
//
// Nothing is added for a pointer taken for one to the first part of a t where there is
// no room for a t, or where a struct of another type begins with such a part, which
// then tells the types apart: the program has checked that this does not happen.
func (s *solver) cast(label uint32, t typeID, i *cast, out *set) {
	at := s.plain(label)
	if at == 0 {
		out.add(label)
		return
	}
	to := s.dynamic.types[t]
	if s.useOf(label) != asItIs {
		s.castMemory(at, t, i, out)
		return
	}
	o := s.objectOf(at)
	here := int32(at - o.base)
	if off, ok := s.partLike(o.layout, here, to); ok {
		out.add(o.base + uint32(off))
		return
	}
	around, fits := s.around(o, here, to)
	if !fits || isHeader(o.layout, here) {
		if _, ok := s.findPart(s.layouts.value(to), 0, s.typeID(o.layout.types[here])); ok {
			return
		}
	}
	if knowledge.Of(i.instr.Parent()).Audited {
		out.add(at)
		return
	}
	out.add(s.memoryOf(o.base+uint32(around), i, o.layout.types[here], t))
}

// castMemory adds the parts of type t of the memory at the cell, or else the memory.
func (s *solver) castMemory(at uint32, t typeID, i *cast, out *set) {
	o, found := s.objectOf(at), false
	begin, end := s.extent(at)
	if _, basic := s.dynamic.types[t].Underlying().(*types.Basic); !basic { // numbers may be parts of others
		for off := begin; off < end; off++ {
			if l := o.layout; l.types[off] != nil && s.typeID(l.types[off]) == t {
				out.add(o.base + uint32(off))
				found = true
			}
		}
	}
	if !found {
		out.add(s.memoryOf(at, i, o.layout.types[begin], t))
	}
}

// memoryOf returns the label for all memory of the cell, after a cast from one type to
// another, which is a hole.
func (s *solver) memoryOf(cell uint32, i *cast, from types.Type, t typeID) uint32 {
	if !i.noted {
		f := i.instr.Parent()
		s.hole(Unsafe, f, i.instr.Pos(), fmt.Sprint(t),
			fmt.Sprintf("%s uses %s as %s", describe(f), from, s.dynamic.types[t]))
		i.noted = true
	}
	if i.local {
		return s.labelOf(tag{cell: cell, use: viewed})
	}
	return s.labelOf(tag{cell: cell, use: foreign})
}

// extent returns the offsets of the first cell of the memory at a cell, and of the
// first behind it.
func (s *solver) extent(at uint32) (begin, end int32) {
	o := s.objectOf(at)
	if begin = int32(at - o.base); begin == 0 {
		return 0, o.layout.size()
	}
	return begin, begin + s.layouts.value(o.layout.types[begin]).size()
}

// slotsAt yields the cells in the memory at a cell that can hold a pointer of type t.
func (s *solver) slotsAt(at uint32, t typeID) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		o := s.objectOf(at)
		begin, end := s.extent(at)
		for _, off := range o.layout.slots {
			if begin <= off && off < end && s.mayHold(o.layout.types[off], t) && !yield(o.base+uint32(off)) {
				return
			}
		}
	}
}

// mayHold reports whether a variable of type u, used as one of type t, may hold what a
// variable of type t does.
func (s *solver) mayHold(u types.Type, t typeID) bool {
	return isUnsafe(u) || isUnsafe(s.dynamic.types[t]) || s.typeID(u) == t
}

// moved returns the label of an address computed from another one: it may be
// anywhere in the object.
func (s *solver) moved(label uint32) uint32 {
	if at := s.plain(label); at != 0 {
		return s.labelOf(tag{cell: s.objectOf(at).base, use: foreign})
	}
	return label
}

// partLike returns the offset of the cell that has the same address as the cell at
// off and can be used as a t: it has the type, or is laid out like it.
func (s *solver) partLike(l *layout, off int32, t types.Type) (int32, bool) {
	if l.types[off] == nil {
		return off, true
	}
	if part, ok := s.findPart(l, off, s.typeID(t)); ok {
		return part, true
	}
	for part := range sameAddress(l, off) {
		if s.sameShape(l.types[part], t) {
			return part, true
		}
	}
	if array, ok := t.Underlying().(*types.Array); ok && !l.array(off) && s.sameShape(l.types[off], array.Elem()) {
		if off > 0 && l.array(off-1) {
			return off - 1, true
		}
		return off, true
	}
	return 0, false
}

// findPart returns the offset of the cell of type t that has the same address as
// the cell at off.
func (s *solver) findPart(l *layout, off int32, t typeID) (int32, bool) {
	for part := range sameAddress(l, off) {
		if l.types[part] != nil && s.typeID(l.types[part]) == t {
			return part, true
		}
	}
	return 0, false
}

// sameAddress yields the cell at off, what it is the first part of, inside out, and
// its first parts, outside in.
func sameAddress(l *layout, off int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for up := off; up >= 0 && (up == off || l.aggregate(up)); up-- {
			if !yield(up) {
				return
			}
		}
		for down := off; down+1 < l.size() && l.aggregate(down); {
			if down++; !yield(down) {
				return
			}
		}
	}
}

// around returns the innermost part of the object around the cell at off that has
// room for a t there, and whether there is one; if not, it is the object.
func (s *solver) around(o *Object, off int32, t types.Type) (part int32, fits bool) {
	if o.kind != memory && o.kind != box {
		return 0, false
	}
	offsets := s.layouts.offsets(o.Type)
	for part = off; part >= 0; part-- {
		u := o.layout.types[part]
		inside := part == off || off < part+s.layouts.value(u).size()
		if inside && (isEndless(u) || offsets[off]-offsets[part]+sizes.Sizeof(t) <= sizes.Sizeof(u)) {
			return part, true
		}
	}
	return 0, false
}

// isHeader reports whether the cell at off is a struct with which a larger one begins.
func isHeader(l *layout, off int32) bool {
	return off > 0 && l.aggregate(off-1) && isStruct(l.types[off-1]) && isStruct(l.types[off])
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// isEndless reports whether t is the array behind a slice.
func isEndless(t types.Type) bool {
	array, ok := t.Underlying().(*types.Array)
	return ok && array.Len() < 0
}

// sameShape reports whether a variable of type b can lie where one of type a lies,
// with the same cells in the same places, and the same kinds of pointers in them.
func (s *solver) sameShape(a, b types.Type) bool {
	if x, ok := a.Underlying().(*types.Array); ok {
		y, ok := b.Underlying().(*types.Array)
		return ok && s.sameShape(x.Elem(), y.Elem())
	}
	l, m := s.layouts.value(a), s.layouts.value(b)
	if !slices.Equal(l.slots, m.slots) || !slices.Equal(s.layouts.offsets(a), s.layouts.offsets(b)) ||
		sizes.Sizeof(a) < sizes.Sizeof(b) {
		return false
	}
	for _, at := range l.slots {
		if !sameKind(l.types[at].Underlying(), m.types[at].Underlying()) {
			return false
		}
	}
	return true
}

// sameKind reports whether both are one address, as pointers (of package unsafe, too),
// maps, channels and functions are, both are slices, or both are interfaces.
func sameKind(a, b types.Type) bool {
	return kindOf(a) == kindOf(b)
}

func kindOf(t types.Type) reflect.Type {
	switch t.(type) {
	case *types.Basic, *types.Map, *types.Chan, *types.Signature:
		t = (*types.Pointer)(nil)
	}
	return reflect.TypeOf(t)
}
