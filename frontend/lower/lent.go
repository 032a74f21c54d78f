package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// withLent returns the state in which arguments of a call that lead to memory which nobody
// else can reach while it lasts are known to be no contents of a star, as in
//
//	d := new(digest)
//	d.Reset()
//	return d
//
// where Reset is called in other places, too.
func (l *lowerer) withLent(c *clone, s state, instr ssa.CallInstruction) state {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return s
	}
	for _, v := range call.Call.Args {
		if _, isConst := v.(*ssa.Const); isConst || !isPointerLike(v.Type()) || l.tagOf(c, s, v).kind != none || len(l.regionsOf(c.node, v)) == 0 {
			continue
		}
		leads := slices.ContainsFunc(l.Graph.PointsTo(c.node, v).Objects(), l.leadsOn)
		if !leads && l.fresh.IsLent(c.node, call, v) {
			s = s.with(v, tag{kind: foreign})
		}
	}
	return s
}

// leadsOn tells whether an object may be a star, or hold the address of one, of contents
// of one, or of a companion.
func (l *lowerer) leadsOn(o *pointsto.Object) bool {
	isWatched := func(to *pointsto.Object) bool {
		return len(l.Stars.StarsAt(pointsto.Cell{Object: to})) > 0 || l.Stars.IsCompanion(to)
	}
	return isWatched(o) || slices.ContainsFunc(l.Graph.Cells(o), func(cell pointsto.Cell) bool {
		return slices.ContainsFunc(l.Graph.Contents(cell).Objects(), func(to *pointsto.Object) bool {
			return isWatched(to) || len(l.Stars.Regions(to)) > 0
		})
	})
}
