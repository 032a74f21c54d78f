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

// A tag is a label: a cell as a value of a dynamic type, or memory used at a type
// that it does not have, which is said by foreign. A foreign label stands for all
// of the cell's memory; nothing is loaded or stored through it, for that would
// mix values of all types (see Unsafe). Its type is 0 outside interfaces.
type tag struct {
	cell    uint32
	typ     typeID
	foreign bool
}

type dynamicTypes struct {
	*typeTable
	tags  map[tag]uint32
	boxes map[typeID]*Object // of the types without slots
}

// A typeTable is what is known of types; it is the same for a base and its refinements.
type typeTable struct {
	ids        map[types.Type]typeID // by representation
	unique     typeutil.Map          // by identity
	types      []types.Type
	implements map[[2]typeID]bool
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

// naturalType is the type of the cell's address as a value in an interface.
func (s *solver) naturalType(c uint32) typeID {
	if c == 0 {
		return 0
	}
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
	if c := s.plain(label); s.isForeign(label) {
		return s.labelOf(tag{c, t, true})
	} else if s.naturalType(c) == t {
		return c
	} else {
		return s.labelOf(tag{c, t, false})
	}
}

// labelOf returns the label of a tag.
func (s *solver) labelOf(key tag) uint32 {
	label := s.dynamic.tags[key]
	if label == 0 && s.refinement != nil {
		label = s.base.dynamic.tags[key]
	}
	if label == 0 {
		label = uint32(len(s.cells))
		s.cells = append(s.cells, cell{object: -1 - int32(len(s.tags))})
		s.tags = append(s.tags, key)
		s.dynamic.tags[key] = label
	}
	return label
}

// untagged returns the label in an interface as a pointer, and its dynamic type.
func (s *solver) untagged(label uint32) (uint32, typeID) {
	if o := s.cells[label].object; o < 0 {
		t := s.tags[-1-o]
		if t.foreign {
			return s.labelOf(tag{t.cell, 0, true}), t.typ
		}
		return t.cell, t.typ
	}
	return label, s.naturalType(label)
}

// isForeign reports whether the label is memory used at a type that it does not have.
func (s *solver) isForeign(label uint32) bool {
	o := s.cells[label].object
	return o < 0 && s.tags[-1-o].foreign
}

// target returns the cell that a load or store through the label accesses; 0 if
// there is none, or it is foreign.
func (s *solver) target(label uint32) uint32 {
	if s.isForeign(label) {
		return 0
	}
	return s.plain(label)
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
	key := [2]typeID{t, u}
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
