package modref

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// LeadsToCompanion tells whether v may point to a companion of an object of the
// checked type.
func (l *Facts) LeadsToCompanion(n *pointsto.Node, v ssa.Value) bool {
	return ssaflow.IsPointerLike(v.Type()) && slices.ContainsFunc(l.Graph.PointsTo(n, v).Objects(), l.Stars.IsCompanion)
}

// AreCompanionsOfConds tells whether a field that is a condition variable, or holds the address
// of one, has such a one in every object that may be a star.
func (l *Facts) AreCompanionsOfConds(n *pointsto.Node, field ssa.Value) bool {
	cells := l.Graph.PointsTo(n, field).Cells()
	for _, cell := range cells {
		stars := l.Stars.StarsAt(cell)
		for _, k := range stars {
			if _, ok := l.Stars.CompanionAt(k, pointsto.JoinPath(l.Stars.PathOf(k, cell), "L")); !ok {
				return false
			}
		}
		if len(stars) == 0 {
			return false
		}
	}
	return len(cells) > 0
}
