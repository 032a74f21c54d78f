package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// builtin generates the constraints of a call of a built-in function.
func (s *solver) builtin(n *Node, instr ssa.CallInstruction, b *ssa.Builtin) {
	args := instr.Common().Args
	result := uint32(0)
	if v := instr.Value(); v != nil {
		result = s.value(n, v)
	}
	switch b.Name() {
	case "append":
		if v := instr.Value(); v != nil {
			s.appendTo(n, v, result)
		}
	case "copy":
		if t, ok := args[0].Type().Underlying().(*types.Slice); ok {
			s.copyElements(n, s.value(n, args[0]), s.value(n, args[1]), t.Elem())
		}
	case "recover":
		s.addEdge(s.panics, result)
	case "ssa:wrapnilchk":
		s.addEdge(s.value(n, args[0]), result)
	case "Add": // of package unsafe, as the rest
		s.constrain(s.value(n, args[0]), constraint{kind: movedBy, node: result})
	case "SliceData":
		s.constrain(s.value(n, args[0]), constraint{kind: addressOf, path: path{element: true}, node: result})
	case "StringData":
		if v := instr.Value(); v != nil {
			t := types.Typ[types.Byte]
			s.addLabel(result, s.object(v, n.Context, t, memory, func() *layout { return s.layouts.value(t) }).base)
		}
	case "Slice":
		s.constrain(s.value(n, args[0]), constraint{kind: arrayOf, node: result})
	}
}

// appendTo handles append(x, y...): the elements of both may be in the arrays of
// x or in a new array.
func (s *solver) appendTo(n *Node, v *ssa.Call, result uint32) {
	slice, ok := v.Type().Underlying().(*types.Slice)
	if !ok {
		return
	}
	x, y := s.value(n, v.Call.Args[0]), s.value(n, v.Call.Args[1])
	s.addLabel(result, s.arrayObject(n, v, slice).base)
	if !isFull(v.Call.Args[0]) {
		s.addEdge(x, result)
		s.copyElements(n, result, x, slice.Elem())
	}
	s.copyElements(n, result, y, slice.Elem())
}

// isFull reports whether the slice is x[:0:0], so that append can neither use its array
// nor copy elements of it.
func isFull(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	return ok && s.Max != nil && isZero(s.Max)
}

// copyElements copies the elements, of type t, of the arrays behind one slice to
// those behind another.
func (s *solver) copyElements(n *Node, to, from uint32, t types.Type) {
	slots := s.layouts.slots(t)
	if to == 0 || from == 0 || slots == 0 {
		return
	}
	copied := s.newNodes(n, slots)
	s.load(copied, elements(from), t)
	s.store(elements(to), copied, t)
}
