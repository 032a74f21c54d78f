package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// Interfaces hold values of known dynamic types. A pointer of type *T to a cell
// of type T is held as the cell itself. Any other value of one slot (a pointer
// of a defined type, a slice, a map, a function) is held as a tag: the cell
// together with the type. Values with more parts are held in a box, an object
// of its own.

type typeID int32 // numbers types up to identity; 0 is none

// A tag is a label: a cell as a value of a dynamic type, or all memory of the cell used
// at a type that it does not have. Its type is 0 outside interfaces.
type tag struct {
	cell uint32
	typ  typeID
	use  usage
}

// key returns a number that no other tag has.
func (t tag) key() uint64 { return uint64(t.cell)<<32 | uint64(t.typ)<<2 | uint64(t.use) }

// A usage says how memory is used.
type usage uint8

const (
	asItIs usage = iota
	// viewed: the program turns a pointer to it into one of another type in one place.
	// Each pointer there of the type in question may be loaded and stored, and each if it
	// or what it is taken for is an unsafe.Pointer.
	viewed
	// foreign: the same, from a pointer of unknown type. Nothing is loaded or stored, for
	// libraries that find all fields by their offsets would mix all values of the program.
	foreign
)

type dynamicTypes struct {
	*typeTable
	tags  map[uint64]uint32  // labels, by tag.key
	boxes map[typeID]*Object // of the types without slots
}

// A typeTable is what is known of types; it is the same for a base and its refinements.
type typeTable struct {
	ids        map[types.Type]typeID // by representation
	unique     typeutil.Map          // by identity
	types      []types.Type
	implements map[uint64]bool // by a type and an interface
	methods    map[methodKey]*ssa.Function
}

type methodKey struct {
	receiver typeID
	method   *types.Func
}

// typeID returns the number of t.
func (s *solver) typeID(t types.Type) typeID {
	d := &s.dynamic
	if id := d.ids[t]; id != 0 {
		return id
	}
	id, ok := d.unique.At(t).(typeID)
	if !ok {
		id = typeID(len(d.types))
		d.types = append(d.types, t)
		d.unique.Set(t, id)
	}
	d.ids[t] = id
	return id
}

// slotTypes returns the types of the slots of a variable.
func (s *solver) slotTypes(l *layout) []typeID {
	if l.ofSlots == nil {
		for _, at := range l.slots {
			l.ofSlots = append(l.ofSlots, s.typeID(l.types[at]))
		}
	}
	return l.ofSlots
}

// naturalType is the type of the cell's address as a value in an interface.
func (s *solver) naturalType(c uint32) typeID {
	if c == 0 {
		return 0
	}
	if s.cells[c].typ == 0 {
		s.cells[c].typ = s.findNaturalType(c)
	}
	return s.cells[c].typ
}

func (s *solver) findNaturalType(c uint32) typeID {
	o := s.objectOf(c)
	off := c - o.base
	if o.kind != memory {
		return s.typeID(o.Type)
	}
	id := &o.layout.pointers[off]
	if *id == 0 && o.layout.types[off] != nil {
		*id = s.typeID(types.NewPointer(o.layout.types[off]))
	}
	return *id
}

// tagged returns the label for the cell of label as a value of dynamic type t.
func (s *solver) tagged(label uint32, t typeID) uint32 {
	if c, use := s.plain(label), s.useOf(label); use != asItIs {
		return s.labelOf(tag{c, t, use})
	} else if s.naturalType(c) == t {
		return c
	} else {
		return s.labelOf(tag{c, t, asItIs})
	}
}

// labelOf returns the label of a tag.
func (s *solver) labelOf(key tag) uint32 {
	label := uint32(0)
	if s.refinement != nil && int(key.cell) < len(s.base.cells) {
		label = s.base.dynamic.tags[key.key()]
	}
	if label == 0 {
		label = s.dynamic.tags[key.key()]
	}
	if label == 0 {
		label = uint32(len(s.cells))
		s.cells = append(s.cells, cell{object: -1 - int32(len(s.tags)), typ: key.typ})
		s.tags, s.tagLabels = append(s.tags, key), append(s.tagLabels, label)
		s.dynamic.tags[key.key()] = label
	}
	return label
}

// untagged returns the label in an interface as a pointer, and its dynamic type.
func (s *solver) untagged(label uint32) (uint32, typeID) {
	if o := s.cells[label].object; o < 0 {
		t := s.tags[-1-o]
		if t.use != asItIs {
			return s.labelOf(tag{t.cell, 0, t.use}), t.typ
		}
		return t.cell, t.typ
	}
	return label, s.naturalType(label)
}

// dynamicType returns the dynamic type of a label in an interface.
func (s *solver) dynamicType(label uint32) typeID {
	if s.cells[label].object < 0 {
		return s.cells[label].typ
	}
	return s.naturalType(label)
}

// useOf returns how memory is used through the label.
func (s *solver) useOf(label uint32) usage {
	if o := s.cells[label].object; o < 0 {
		return s.tags[-1-o].use
	}
	return asItIs
}

// plain returns the cell of a label that is used as a pointer; 0 if it is none.
func (s *solver) plain(label uint32) uint32 {
	if o := s.cells[label].object; o < 0 {
		return s.tags[-1-o].cell
	}
	return label
}

// isBox reports whether the label is a value that lies in a box.
func (s *solver) isBox(label uint32) bool {
	o := s.cells[label].object
	return label != 0 && o >= 0 && s.objects[o].kind == box
}

// implementsInterface reports whether a value of type t has the methods of u.
func (s *solver) implementsInterface(t, u typeID) bool {
	if t == 0 {
		return false
	}
	key := uint64(t)<<32 | uint64(u)
	yes, ok := s.dynamic.implements[key]
	if !ok {
		i, _ := s.dynamic.types[u].Underlying().(*types.Interface)
		yes = i != nil && types.Implements(s.dynamic.types[t], i)
		s.dynamic.implements[key] = yes
	}
	return yes
}

// method returns the function that a call of method on a value of type t runs;
// nil if it has none.
func (s *solver) method(t typeID, method *types.Func) *ssa.Function {
	if t == 0 {
		return nil
	}
	key := methodKey{t, method}
	f, ok := s.dynamic.methods[key]
	if !ok {
		program := s.config.Program
		if sel := program.MethodSets.MethodSet(s.dynamic.types[t]).Lookup(method.Pkg(), method.Name()); sel != nil {
			f = program.MethodValue(sel)
		}
		s.dynamic.methods[key] = f
	}
	return f
}

// boxObject returns the object that holds the value of a MakeInterface: one for
// all values of a type without pointers, otherwise one per instruction and context.
func (s *solver) boxObject(n *Node, v *ssa.MakeInterface) *Object {
	t := v.X.Type()
	l := s.layouts.value(t)
	if len(l.slots) > 0 {
		return s.object(v, n.Context, t, box, func() *layout { return l })
	}
	id := s.typeID(t)
	o := s.dynamic.boxes[id]
	if o == nil && s.refinement != nil {
		o = s.base.dynamic.boxes[id]
	}
	if o == nil {
		o = s.newObject(nil, nil, t, box, l)
		s.dynamic.boxes[id] = o
	}
	return o
}
