package pointsto

import (
	"go/types"
	"slices"
)

// A layout flattens a type into cells: a struct or an array is one cell for
// itself, so that &s and &s.first differ, followed by the cells of its fields
// or of its one element "[]". Slots are the cells that can hold a pointer:
// an SSA value of the type has one node per slot, in order.
type layout struct {
	paths []string
	types []types.Type // of each cell
	slots []int32      // offsets of the cells that can hold a pointer

	pointers []typeID // of the pointer to each cell, 0 if not yet known
	ofSlots  []typeID // of what each slot holds; nil if not yet known
	visible  *visible // nil if not yet known
}

func (l *layout) size() int32 { return int32(len(l.paths)) }

// typeAt returns the type of the cell at off; nil for cells without one.
func (l *layout) typeAt(off int32) types.Type { return l.types[off] }

// aggregate reports whether the cell at off stands for a struct or an array with parts,
// whose first part is then the cell that follows.
func (l *layout) aggregate(off int32) bool {
	if l.types[off] == nil {
		return false
	}
	switch t := l.types[off].Underlying().(type) {
	case *types.Struct:
		return t.NumFields() > 0
	case *types.Array:
		return true
	}
	return false
}

// array reports whether the cell at off stands for an array.
func (l *layout) array(off int32) bool {
	if l.types[off] == nil {
		return false
	}
	_, ok := l.types[off].Underlying().(*types.Array)
	return ok
}

// offset returns the offset of path.
func (l *layout) offset(path string) (int32, bool) {
	i := slices.Index(l.paths, path)
	return int32(i), i >= 0
}

// append adds the cells of part, which lies at the path prefix.
func (l *layout) append(prefix string, part *layout) {
	base := l.size()
	for i, p := range part.paths {
		switch {
		case p == "":
			p = prefix
		case p[0] == '[' || prefix == "":
			p = prefix + p
		default:
			p = prefix + "." + p
		}
		l.paths = append(l.paths, p)
		l.types = append(l.types, part.types[i])
	}
	for _, s := range part.slots {
		l.slots = append(l.slots, base+s)
	}
}

// layouts caches layouts by type.
type layouts struct {
	of       map[types.Type]*layout
	contents map[types.Type]*layout // of maps and channels themselves
	fields   map[*types.Struct][]int32
	bytes    map[types.Type][]int64
}

func newLayouts() *layouts {
	return &layouts{
		of:       map[types.Type]*layout{},
		contents: map[types.Type]*layout{},
		fields:   map[*types.Struct][]int32{},
		bytes:    map[types.Type][]int64{},
	}
}

// value returns the layout of a variable of type t; of a tuple, its components in a row.
func (ls *layouts) value(t types.Type) *layout {
	if l := ls.of[t]; l != nil {
		return l
	}
	l := &layout{}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		l.append("", scalar(t))
		for i := range u.NumFields() {
			l.append(u.Field(i).Name(), ls.value(u.Field(i).Type()))
		}
	case *types.Array:
		l.append("", scalar(t))
		l.append("[]", ls.value(u.Elem()))
	case *types.Tuple:
		for i := range u.Len() {
			l.append("", ls.value(u.At(i).Type()))
		}
	default:
		l = scalar(t)
		if pointerlike(t) {
			l.slots = []int32{0}
		}
	}
	l.pointers = make([]typeID, len(l.paths))
	ls.of[t] = l
	return l
}

// slots returns how many slots a variable of type t has.
func (ls *layouts) slots(t types.Type) int {
	switch u := t.(type) {
	case *types.Basic:
		if u.Kind() != types.UnsafePointer {
			return 0
		}
		return 1
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return 1
	}
	return len(ls.value(t).slots)
}

// object returns the layout of what a map or channel of type t refers to.
func (ls *layouts) object(t types.Type) *layout {
	if l := ls.contents[t]; l != nil {
		return l
	}
	l := scalar(t)
	switch u := t.Underlying().(type) {
	case *types.Map:
		l.append("[key]", ls.value(u.Key()))
		l.append("[]", ls.value(u.Elem()))
	case *types.Chan:
		l.append("[]", ls.value(u.Elem()))
	}
	l.pointers = make([]typeID, len(l.paths))
	ls.contents[t] = l
	return l
}

// field returns the offset of the cell of field i in a struct.
func (ls *layouts) field(t *types.Struct, i int) int32 {
	offsets := ls.fields[t]
	if offsets == nil {
		next := int32(1)
		for j := range t.NumFields() {
			offsets = append(offsets, next)
			next += ls.value(t.Field(j).Type()).size()
		}
		ls.fields[t] = offsets
	}
	return offsets[i]
}

// sizes are those of the usual machines: what matters is which parts of two types lie
// in the same place.
var sizes = types.SizesFor("gc", "amd64")

// offsets returns at which byte each cell of a variable of type t begins; in an array,
// those of its first element.
func (ls *layouts) offsets(t types.Type) []int64 {
	if all := ls.bytes[t]; all != nil {
		return all
	}
	all := []int64{0}
	add := func(at int64, part types.Type) {
		for _, off := range ls.offsets(part) {
			all = append(all, at+off)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, at := range sizes.Offsetsof(slices.Collect(u.Fields())) {
			add(at, u.Field(i).Type())
		}
	case *types.Array:
		add(0, u.Elem())
	}
	ls.bytes[t] = all
	return all
}

// slot returns the index of the first slot of component i of a tuple, or of
// field i of a struct.
func (ls *layouts) slot(t types.Type, i int) uint32 {
	n := 0
	switch t := t.Underlying().(type) {
	case *types.Tuple:
		for j := range i {
			n += ls.slots(t.At(j).Type())
		}
	case *types.Struct:
		for j := range i {
			n += ls.slots(t.Field(j).Type())
		}
	}
	return uint32(n)
}

func scalar(t types.Type) *layout {
	return &layout{paths: []string{""}, types: []types.Type{t}, pointers: make([]typeID, 1)}
}

// pointerlike reports whether a value of type t is one slot.
func pointerlike(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}
