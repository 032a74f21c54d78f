package pointsto

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// convert handles conversions between pointers of different types and strings.
func (s *solver) convert(n *Node, i *ssa.Convert) {
	to := s.value(n, i)
	if to == 0 {
		return
	}
	switch t := i.Type().Underlying().(type) {
	case *types.Slice: // of a string
		if o := s.arrayObject(n, i, t); o != nil {
			s.addLabel(to, o.base)
		}
	case *types.Basic: // unsafe.Pointer
		if from := addressOrigin(i.X, 0); from != nil {
			s.addEdge(s.value(n, from), to)
		} else {
			s.hole(Unsafe, n.Func, i.Pos(), describe(n.Func), fmt.Sprintf("%s turns a number into a pointer", describe(n.Func)))
		}
	case *types.Pointer:
		s.casts = append(s.casts, i)
		s.constrain(s.value(n, i.X), constraint{kind: castTo, typ: s.typeID(t.Elem()), node: to, site: int32(len(s.casts) - 1)})
	default:
		s.addEdge(s.value(n, i.X), to)
	}
}

// addressOrigin follows the arithmetic behind a uintptr to the pointer that it
// was computed from, in the same function; nil if there is none.
func addressOrigin(v ssa.Value, depth int) ssa.Value {
	if pointerlike(v.Type()) {
		return v
	}
	if depth > 8 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Convert:
		return addressOrigin(v.X, depth+1)
	case *ssa.ChangeType:
		return addressOrigin(v.X, depth+1)
	case *ssa.BinOp:
		if from := addressOrigin(v.X, depth+1); from != nil {
			return from
		}
		if v.Op == token.ADD {
			return addressOrigin(v.Y, depth+1)
		}
	}
	return nil
}

// cast returns the label for the memory at label as a pointer to t: the cell
// itself, or the aggregate that starts there, or the first part of it. If none
// of them has the type or is laid out like it, the label is foreign, except in
// functions that were read.
// It reports false for a pointer to the first part of some other type, taken for
// one to the first part of t: the program has checked that this does not happen.
func (s *solver) cast(label uint32, t typeID, i *ssa.Convert) (uint32, bool) {
	at := s.plain(label)
	if at == 0 {
		return label, true
	}
	o := s.objectOf(at)
	here := int32(at - o.base)
	if off, ok := s.findPart(o.layout, here, t); ok {
		return o.base + uint32(off), true
	}
	from, to := o.layout.types[here], s.dynamic.types[t]
	if from == nil || s.sameShape(from, to) {
		return at, true
	}
	if _, ok := s.findPart(s.layouts.value(to), 0, s.typeID(from)); ok {
		return 0, false
	}
	f := i.Parent()
	if audited[describe(f)] {
		return at, true
	}
	s.hole(Unsafe, f, i.Pos(), fmt.Sprint(t), fmt.Sprintf("%s uses %s as %s", describe(f), from, to))
	return s.labelOf(tag{cell: at, foreign: true}), true
}

// findPart returns the offset of the cell of type t that has the same address as
// the cell at off.
func (s *solver) findPart(l *layout, off int32, t typeID) (int32, bool) {
	is := func(off int32) bool { return l.types[off] != nil && s.typeID(l.types[off]) == t }
	for up := off; up >= 0 && (up == off || l.aggregate(up)); up-- {
		if is(up) {
			return up, true
		}
	}
	for down := off; down+1 < l.size() && l.aggregate(down); {
		if down++; is(down) {
			return down, true
		}
	}
	return 0, false
}

// audited are functions of the standard library whose conversions are known to
// keep pointers where they are looked for.
var audited = map[string]bool{
	"sync.poolRaceAddr":            true,
	"internal/abi.TypeOf":          true,
	"(*sync.poolDequeue).pushHead": true,
	"(*sync.poolDequeue).popHead":  true,
	"(*sync.poolDequeue).popTail":  true,
}

// sameShape reports whether both types have the same cells, with the same kinds of
// pointers in the same places.
func (s *solver) sameShape(a, b types.Type) bool {
	l, m := s.layouts.value(a), s.layouts.value(b)
	if l.size() != m.size() || !slices.Equal(l.slots, m.slots) {
		return false
	}
	for _, at := range l.slots {
		if !sameKind(l.types[at].Underlying(), m.types[at].Underlying()) {
			return false
		}
	}
	return true
}

// sameKind reports whether both are pointers (of package unsafe, too), both are
// slices, both are maps, and so on.
func sameKind(a, b types.Type) bool {
	if _, ok := a.(*types.Basic); ok {
		a = types.NewPointer(a)
	}
	if _, ok := b.(*types.Basic); ok {
		b = types.NewPointer(b)
	}
	return reflect.TypeOf(a) == reflect.TypeOf(b)
}
