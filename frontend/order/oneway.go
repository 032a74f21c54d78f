package order

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// OnlyBecomesTrue tells whether everything that may write the field stores true.
func (l *Order) OnlyBecomesTrue(at isolate.Location) bool {
	stores := 0
	for _, n := range l.Unpublished.Writers() {
		if knowledge.IsSynchronisation(n.Func) {
			continue // its operations are looked at where they are called
		}
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				switch l.useOfField(n, instr, at) {
				case setsField:
					stores++
				case spoilsField:
					return false
				}
			}
		}
	}
	return stores > 0
}

type fieldUse uint8

const (
	leavesField fieldUse = iota // alone, or reads it
	setsField                   // stores true
	spoilsField                 // does what is not followed
)

// useOfField tells what an instruction does to the field of the star.
func (l *Order) useOfField(n *pointsto.Node, instr ssa.Instruction, at isolate.Location) fieldUse {
	switch v := instr.(type) {
	case *ssa.UnOp, *ssa.Field: // most accesses: they only read
		return leavesField
	case ssa.CallInstruction:
		if l.isUnknownCall(n, v, at) {
			return spoilsField
		}
	}
	accesses, exact := false, true
	for _, c := range reduce.CellsAccessedBy(l.Graph, l.Stars, n, instr) {
		if slices.Contains(l.Stars.StarsAt(c), at.Star) && slices.Contains(l.Stars.LocationsAt(c), at) {
			accesses = true
			exact = exact && l.IsField(at, l.Stars.PathOf(at.Star, c))
		}
	}
	if !accesses {
		return leavesField
	}
	switch v := instr.(type) {
	case *ssa.Store:
		if exact && ssaflow.IsTrue(v.Val) {
			return setsField
		}
	case *ssa.Call, *ssa.Defer:
		call := v.(ssa.CallInstruction)
		callee := call.Common().StaticCallee()
		if callee == nil {
			return spoilsField
		}
		effect, known := knowledge.Accesses(callee)
		switch {
		case known && !effect.Writes:
			return leavesField
		case known && effect.Atomic && exact && setsToTrue(call):
			return setsField
		}
	}
	return spoilsField
}

// IsField tells whether the path in the star is that of the field itself.
func (l *Order) IsField(at isolate.Location, path string) bool {
	return path == pointsto.JoinPath(l.Stars.Stars[at.Star].Path, l.Stars.Subject.Fields[at.Field])
}

// isUnknownCall tells whether the call hands the star to a function of which nothing is
// known.
func (l *Order) isUnknownCall(n *pointsto.Node, call ssa.CallInstruction, at isolate.Location) bool {
	isStar := func(v ssa.Value) bool {
		return ssaflow.IsPointerLike(v.Type()) && slices.ContainsFunc(
			l.Graph.PointsTo(n, v).Objects(), func(o *pointsto.Object) bool {
				return l.Stars.Stars[at.Star].Objects[o]
			})
	}
	return slices.ContainsFunc(l.Graph.Callees(n, call), func(callee *pointsto.Node) bool {
		_, known := knowledge.Accesses(callee.Func)
		return !known && !l.Graph.Analysed(callee) && !knowledge.IsSynchronisation(callee.Func)
	}) && slices.ContainsFunc(call.Common().Args, isStar)
}

// setsToTrue tells whether an operation of package sync/atomic stores true, or tries to
// where false is.
func setsToTrue(call ssa.CallInstruction) bool {
	args := call.Common().Args
	switch knowledge.Of(call.Common().StaticCallee()).Atomic {
	case knowledge.AtomicStore:
		return len(args) == 2 && ssaflow.IsTrue(args[1])
	case knowledge.AtomicCompareAndSwap:
		return len(args) == 3 && ssaflow.IsFalse(args[1]) && ssaflow.IsTrue(args[2])
	}
	return false
}
