package ownership

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// StoredOnce tells whether star k is at most one element of any one slice, array or
// map: one instruction in the program makes it an element, each time of a new
// object, and none copies elements.
func (l *Owners) StoredOnce(k int) bool {
	if known, ok := l.storedOnceOf[k]; ok {
		return known
	}
	f := elementStores{l: l, star: k}
	l.storedOnceOf[k] = f.areOne()
	return l.storedOnceOf[k]
}

// elementStores looks for the instructions that make a star an element.
type elementStores struct {
	l     *Owners
	star  int
	found ssa.Instruction
}

// areOne tells whether there is one such instruction, and it stores new objects.
func (f *elementStores) areOne() bool {
	moved := f.l.anyAnalysed(func(n *pointsto.Node, instr ssa.Instruction) bool { return !f.allows(n, instr) })
	return !moved && f.found != nil
}

// allows tells whether the instruction is no store of a star as an element, or the
// only one.
func (f *elementStores) allows(n *pointsto.Node, instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Store:
		if f.isElement(n, v.Addr) {
			return f.stores(n, instr, v.Val)
		}
		// Whole arrays.
		return ssaflow.IsPointerLike(v.Val.Type()) || !f.mayHold(n, v.Val)
	case *ssa.MapUpdate:
		return f.stores(n, instr, v.Value)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "append" && b.Name() != "copy" || len(v.Call.Args) < 2 {
			return true
		}
		// The elements of a list of arguments were stored one by one.
		return b.Name() == "append" && ssaflow.IsArgumentList(v.Call.Args[1]) || !f.elementsMayBe(n, v.Call.Args[1])
	}
	return true
}

// isElement tells whether the address may be of an element.
func (f *elementStores) isElement(n *pointsto.Node, address ssa.Value) bool {
	switch address.(type) {
	case *ssa.IndexAddr:
		return true
	case *ssa.FieldAddr, *ssa.Alloc, *ssa.Global:
		return false
	}
	return slices.ContainsFunc(f.l.Graph.PointsTo(n, address).Cells(), func(c pointsto.Cell) bool {
		return strings.HasSuffix(c.Path, "[]")
	})
}

// stores tells whether the value is not the star, or new each time.
func (f *elementStores) stores(n *pointsto.Node, at ssa.Instruction, v ssa.Value) bool {
	if !f.mayHold(n, v) {
		return true
	}
	if f.found != nil && f.found != at || !ssaflow.IsPointerLike(v.Type()) {
		return false
	}
	f.found = at
	star := f.l.Stars.Stars[f.star]
	made := f.l.Maker(f.star, star, n, v)
	return made != nil && !ssaflow.RepeatsWithout(at.Block(), made.Block())
}

// mayHold tells whether the value may point to the star, or be a struct or array
// that holds such a pointer.
func (f *elementStores) mayHold(n *pointsto.Node, v ssa.Value) bool {
	return slices.ContainsFunc(f.l.Graph.PointsTo(n, v).Objects(), f.isStar)
}

// elementsMayBe tells whether elements of the slice may be the star.
func (f *elementStores) elementsMayBe(n *pointsto.Node, slice ssa.Value) bool {
	for _, array := range f.l.Graph.PointsTo(n, slice).Cells() {
		for _, element := range f.l.Graph.Under(array.Object, pointsto.JoinPath(array.Path, "[]")) {
			if slices.ContainsFunc(f.l.Graph.Contents(element).Objects(), f.isStar) {
				return true
			}
		}
	}
	return false
}

func (f *elementStores) isStar(o *pointsto.Object) bool { return f.l.Stars.Stars[f.star].Objects[o] }

// VisitedOnce returns the header of the loop in which the instruction, the load of an element of
// a slice, array or map, loads star k once at most; nil if that is not known. The loop is over
// that, or it counts, and the element is the one with the number of the iteration, of whatever
// slice, where the star stays in its place.
func (l *Owners) VisitedOnce(instr ssa.Instruction, k int) *ssa.BasicBlock {
	header, isCounted := elementLoop(instr)
	if header == nil || !l.StoredOnce(k) || isCounted && !l.staysInPlace(k) {
		return nil
	}
	return header
}

// elementLoop returns the header of the loop over a slice, array or map in which
// the instruction loads each element once, or of one that counts, and the instruction loads
// an element by the count; nil if it is no such load.
func elementLoop(instr ssa.Instruction) (header *ssa.BasicBlock, isCounted bool) {
	switch v := instr.(type) {
	case *ssa.UnOp:
		element, ok := v.X.(*ssa.IndexAddr)
		if !ok {
			return nil, false
		}
		if next, ok := element.Index.(*ssa.BinOp); ok && ssaflow.IsRangeIndex(element.X, element.Index) {
			header = next.Block()
		} else if counter := ssaflow.CounterOf(element.Index); counter != nil && isWide(counter.Type()) {
			header, isCounted = counter.Block(), true
		}
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok && !next.IsString {
			header = next.Block()
		}
	}
	if header == nil || ssaflow.RepeatsWithout(instr.Block(), header) {
		return nil, false
	}
	return header, isCounted
}

// isWide tells whether a counter of the type does not come to the same number again.
func isWide(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && slices.Contains([]types.BasicKind{types.Int, types.Int64, types.Uint, types.Uint64}, basic.Kind())
}

// staysInPlace tells whether star k, which is stored once as an element, has one index in all
// slices that it is in: none of them is cut from above its beginning, nor handed to reflection,
// which may move elements. (A slice that grows keeps the indices; elements are copied or
// exchanged in no other way: see StoredOnce.)
func (l *Owners) staysInPlace(k int) bool {
	known, ok := l.inPlaceOf[k]
	if !ok {
		known = !l.anyAnalysed(func(n *pointsto.Node, instr ssa.Instruction) bool {
			f := elementStores{l: l, star: k}
			switch v := instr.(type) {
			case *ssa.Slice:
				return v.Low != nil && !ssaflow.IsInt(v.Low, 0) && f.elementsMayBe(n, v.X)
			case *ssa.MakeInterface:
				return ssaflow.IsPointerLike(v.X.Type()) && f.elementsMayBe(n, v.X)
			}
			return false
		})
		l.inPlaceOf[k] = known
	}
	return known
}

// anyAnalysed tells whether there is an instruction in the program for which is holds.
func (l *Owners) anyAnalysed(is func(*pointsto.Node, ssa.Instruction) bool) bool {
	for _, n := range l.Graph.Nodes() {
		if !l.Graph.Analysed(n) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if is(n, instr) {
					return true
				}
			}
		}
	}
	return false
}
