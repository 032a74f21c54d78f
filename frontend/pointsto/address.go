package pointsto

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A path leads from an address to that of a part of what is there: offset cells further
// and, with element, to the element of the array that begins there, and inner cells
// further in it.
type path struct {
	offset  int32
	element bool
	inner   int32
}

// plus returns the path to what lies cells further.
func (p path) plus(cells int32) path {
	if p.element {
		p.inner += cells
	} else {
		p.offset += cells
	}
	return p
}

// A location is an address: what a path leads to from where a node points. Most addresses
// of fields and elements are there only to load from and to store to, which takes a
// location; they have no node, and what they point to is found when it is asked for.
type location struct {
	node uint32
	path
}

// follow returns the cell that the path leads to from a cell.
func (s *solver) follow(p path, at uint32) (uint32, bool) {
	if at == 0 {
		return 0, false
	}
	at, ok := s.shift(at, p.offset)
	if !ok || !p.element {
		return at, ok
	}
	if o := s.objectOf(at); o.layout.array(int32(at - o.base)) {
		return s.shift(at, 1+p.inner)
	}
	return s.shift(at, p.inner) // a single variable used as an array of one element
}

// followAll returns where the path leads from the labels.
func (s *solver) followAll(p path, labels set) set {
	var out set
	for label := range labels.all {
		if s.useOf(label) != asItIs {
			out.add(label)
		} else if to, ok := s.follow(p, s.plain(label)); ok {
			out.add(to)
		}
	}
	return out
}

// origin follows addresses that have no node to the value that they are computed from,
// and returns the path back. The origin of any other value is itself.
func (s *solver) origin(v ssa.Value) (ssa.Value, path) {
	switch i := v.(type) {
	case *ssa.FieldAddr:
		if isOnlyAccessed(v) {
			from, p := s.origin(i.X)
			return from, p.plus(s.fieldOffset(i))
		}
	case *ssa.IndexAddr:
		if isOnlyAccessed(v) {
			if from, p := s.origin(i.X); !p.element {
				p.element = true
				return from, p
			}
		}
	}
	return v, path{}
}

// maxAccesses bounds how many uses of an address are looked at: for a table, it has one
// for each entry.
const maxAccesses = 16

// isOnlyAccessed reports whether an address is only loaded from, stored to, and used for
// addresses of its parts.
func isOnlyAccessed(v ssa.Value) bool {
	uses := *v.Referrers()
	if len(uses) > maxAccesses {
		return false
	}
	for _, use := range uses {
		switch i := use.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef:
		case *ssa.UnOp:
			if i.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if i.Val == v {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// fieldOffset returns how many cells the field lies behind the struct.
func (s *solver) fieldOffset(i *ssa.FieldAddr) int32 {
	return s.layouts.field(i.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct), i.Field)
}

// location returns the location that an address in n is.
func (s *solver) location(n *Node, address ssa.Value) location {
	from, p := s.origin(address)
	return location{s.value(n, from), p}
}

// address generates the constraints of an instruction that takes the address of a part
// of *x. If it has no node, all that it takes is that its origin has one.
func (s *solver) address(n *Node, v, x ssa.Value, part path) {
	if from, _ := s.origin(v); from != v {
		s.value(n, from)
		return
	}
	at := s.partOf(n, s.location(n, x), part)
	if at.node == 0 {
		return
	}
	if label := s.node(at.node).fixed; label != 0 {
		if _, used := n.values[v]; !used {
			if to, ok := s.follow(at.path, label); ok {
				n.values[v] = s.pointer(n, to)
			}
			return
		}
	}
	s.constrain(at.node, constraint{kind: addressOf, path: at.path, node: s.value(n, v)})
}

// partOf returns the location of a field, or of the element, of what lies at another.
func (s *solver) partOf(n *Node, at location, part path) location {
	if !part.element {
		at.path = at.plus(part.offset)
		return at
	}
	if at.element && at.node != 0 { // an element of an element: the address of that gets a node
		whole := s.newNodes(n, 1)
		s.constrain(at.node, constraint{kind: addressOf, path: at.path, node: whole})
		at = location{node: whole}
	}
	at.element = true
	return at
}

// behind returns the location cells behind where a node points.
func behind(node uint32, cells int32) location { return location{node, path{offset: cells}} }

// elements returns the location of the elements of the array where a node points.
func elements(node uint32) location { return location{node, path{element: true}} }
