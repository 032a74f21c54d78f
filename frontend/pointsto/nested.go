package pointsto

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// visitorOf returns the functions that f hands all parts of its second argument to, if it
// is a function of the standard library that reads them by reflection: methods of the same
// type, or functions of the same package, with a parameter of type reflect.Value, which
// call the methods of the parts. It goes through all pointers if deep, else only through
// that in what it is handed.
func visitorOf(f *ssa.Function) (to []*ssa.Function, deep bool) {
	row := knowledge.Of(f)
	for _, name := range row.Visits {
		g := f.Pkg.Func(name)
		if recv := f.Signature.Recv(); g == nil && recv != nil {
			if sel := f.Prog.MethodSets.MethodSet(recv.Type()).Lookup(f.Pkg.Pkg, name); sel != nil {
				g = f.Prog.MethodValue(sel)
			}
		}
		if g != nil && reflectedParameter(g) != nil { // else it has another name in this version
			to = append(to, g)
		}
	}
	return to, row.Deep
}

// reflectedParameter returns the first parameter of type reflect.Value, nil if there is
// none.
func reflectedParameter(f *ssa.Function) *ssa.Parameter {
	i := slices.IndexFunc(f.Params, func(p *ssa.Parameter) bool {
		return types.TypeString(p.Type(), nil) == "reflect.Value"
	})
	if i < 0 {
		return nil
	}
	return f.Params[i]
}

// visit generates the constraints of a visitor.
func (s *solver) visit(n *Node) {
	to, deep := visitorOf(n.Func)
	if len(to) == 0 {
		return
	}
	from := s.value(n, n.Func.Params[1])
	if !types.IsInterface(n.Func.Params[1].Type()) {
		from++ // what is in the reflect.Value
	}
	parts := s.newNodes(n, 1)
	further := constraint{kind: valuePartsOf, node: parts}
	if deep {
		further.kind = partsOf
	}
	s.constrain(from, constraint{kind: partsOf, node: parts})
	s.constrain(parts, further)
	for _, f := range to {
		s.addEdge(parts, s.value(s.functionNode(f, nil), reflectedParameter(f))+1)
	}
}

// addParts adds what is in the value with the label, as values of interfaces: in the
// struct, array, slice or map, and in what it points to if pointers are followed. Parts that are there already are
// only added to the set.
func (s *solver) addParts(label uint32, pointers bool, to uint32, there *set) {
	at, t := s.untagged(label)
	if t == 0 || at == 0 || s.useOf(label) != asItIs || !s.isBox(label) && !hasParts(s.dynamic.types[t], pointers) {
		return
	}
	o := s.objectOf(at)
	begin, end := s.extent(at)
	visible := s.visibleIn(o.layout)
	for _, part := range visible.withMethods {
		if begin <= part.offset && part.offset < end {
			there.add(s.tagged(o.base+uint32(part.offset), part.address))
		}
	}
	for _, off := range visible.slots {
		if off < begin || off >= end {
			continue
		}
		content, u := s.content(o.base+uint32(off)), o.layout.types[off]
		if types.IsInterface(u) {
			s.addEdge(content, to)
		} else {
			s.addEdge(content, s.inSlots(s.typeID(u), to))
		}
	}
}

// slotsKey is the slots of one type whose contents become values of interfaces in a node.
type slotsKey struct {
	typ typeID
	to  uint32
}

// inSlots returns the node of what is in all slots of the type that become values of interfaces in a node. In a large
// program what they contain is much the same: so it is translated once, and not once for each slot.
func (s *solver) inSlots(t typeID, to uint32) uint32 {
	key := slotsKey{t, to}
	in, known := s.slots[key]
	if !known && !s.isFrozen(to) {
		in = s.newNodes(nil, 1)
		s.slots[key] = in
		s.constrain(in, constraint{kind: toInterface, typ: t, node: to})
	}
	return in
}

// visible is what reflection may call methods of in a layout.
type visible struct {
	slots       []int32
	withMethods []visiblePart
}

// A visiblePart is a struct or an array the address of which has methods: those are
// called on the part in place, which stands for a copy of it, too.
type visiblePart struct {
	offset  int32
	address typeID
}

func (s *solver) visibleIn(l *layout) *visible {
	if l.visible != nil {
		return l.visible
	}
	l.visible = &visible{}
	for off := range l.size() {
		if p := partWithMethods(l, off); p != nil {
			l.visible.withMethods = append(l.visible.withMethods, visiblePart{off, s.typeID(p)})
		}
	}
	for _, off := range l.slots {
		if isVisible(l.paths[off], l.types[off]) {
			l.visible.slots = append(l.visible.slots, off)
		}
	}
	return l.visible
}

// partWithMethods returns the type of the address of a struct or an array at off that
// has methods and is visited, nil if there is none.
func partWithMethods(l *layout, off int32) types.Type {
	if !l.aggregate(off) || !isVisible(l.paths[off], l.types[off]) {
		return nil
	}
	named, ok := types.Unalias(l.types[off]).(*types.Named)
	if !ok {
		return nil
	}
	address := types.NewPointer(named)
	if types.NewMethodSet(address).Len() == 0 {
		return nil
	}
	return address
}

// hasParts reports whether a value of type t in an interface, but not in a box, has
// parts that are visited.
func hasParts(t types.Type, pointers bool) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Pointer:
		return pointers
	}
	return false
}

// isVisible reports whether reflection may call methods of what lies at the path: the
// last field is exported, or embedded.
func isVisible(path string, t types.Type) bool {
	path = strings.NewReplacer("[key]", "", "[]", "").Replace(path)
	name := path[strings.LastIndex(path, ".")+1:]
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return name == "" || token.IsExported(name) || ok && named.Obj().Name() == name
}
