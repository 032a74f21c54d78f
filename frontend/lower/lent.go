package lower

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// withLent returns the state in which arguments of a call that lead to memory which nobody
// else can reach while it lasts are known to be no contents of a star, as in
//
//	d := new(digest)
//	d.Reset()
//	return d
//
// where Reset is called in other places, too; and so are arguments that lead to plain memory
// which by the points-to analysis of the caller is nothing of the set, as a new buffer of bytes
// that a function is handed, to which others hand the buffer of a star.
func (l *lowerer) withLent(c *clone, s state, instr ssa.CallInstruction) state {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return s
	}
	for _, v := range ssaflow.Arguments(call.Common()) {
		if _, isConst := v.(*ssa.Const); isConst || !ssaflow.IsPointerLike(v.Type()) || l.tagOf(c, s, v).Kind != tag.None {
			continue
		}
		if len(l.RegionsOf(c.node, v)) == 0 {
			if l.isPlainElsewhere(c, v) || l.isApartHere(c, call, v) {
				s = s.with(v, tag.Tag{Kind: tag.Foreign})
			}
			continue
		}
		leads := slices.ContainsFunc(l.Graph.PointsTo(c.node, v).Objects(), l.owners.LeadsOn)
		if !leads && l.Unpublished.IsLent(c.node, call, v) {
			s = s.with(v, tag.Tag{Kind: tag.Foreign})
		}
	}
	return s
}

// isPlainElsewhere tells whether the value leads to plain memory, as bytes, and to nothing of
// the set. (From memory with pointers the callee could get to the set, and structs may be locks,
// or have some.)
func (l *lowerer) isPlainElsewhere(c *clone, v ssa.Value) bool {
	var element types.Type
	switch t := v.Type().Underlying().(type) {
	case *types.Slice:
		element = t.Elem()
	case *types.Pointer:
		element = t.Elem()
	}
	if element == nil {
		return false
	}
	_, isBasic := element.Underlying().(*types.Basic)
	return isBasic && !fresh.HoldsPointers(element) && l.Graph.Analysed(c.node) &&
		!l.Graph.MayPointInto(c.node, v, l.Stars.Region())
}

// isApartHere tells whether a pointer to structs leads to nothing of the set by the points-to
// analysis of the caller, though in what is called there it may: as that to the list of another
// object, in a method that all lists have. Structs that are locks, or have some, are told apart
// in other ways.
func (l *lowerer) isApartHere(c *clone, call *ssa.Call, v ssa.Value) bool {
	objects := l.Graph.PointsTo(c.node, v).Objects()
	isPlain := func(o *pointsto.Object) bool {
		_, isStruct := o.Type.Underlying().(*types.Struct)
		return isStruct && !query.HoldsSynchronisation(o.Type) && !l.Program.SpinLocks.Holds(o.Type) &&
			!l.Stars.IsCompanion(o) && l.Stars.Holders[o] == nil && l.Stars.OwnerOf(o) == nil &&
			len(l.Stars.StarsAt(pointsto.Cell{Object: o})) == 0
	}
	if len(objects) == 0 || !l.Graph.Analysed(c.node) || slices.ContainsFunc(objects, func(o *pointsto.Object) bool {
		return !isPlain(o)
	}) {
		return false
	}
	i := slices.Index(ssaflow.Arguments(call.Common()), v)
	return slices.ContainsFunc(l.Graph.Callees(c.node, call), func(callee *pointsto.Node) bool {
		return i < len(callee.Func.Params) && len(l.RegionsOf(callee, callee.Func.Params[i])) > 0
	})
}
