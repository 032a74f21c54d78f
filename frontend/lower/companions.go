package lower

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// companionAt returns the tag of what is loaded from, or copied out of, the field of
// a star that holds its companion.
func (l *lowerer) companionAt(c *clone, v ssa.Value, g tag) (tag, bool) {
	known, ok := l.Stars.CompanionAt(g.star, g.path)
	if !ok || !slices.Contains(l.Graph.PointsTo(c.node, v).Objects(), known.Object) {
		return tag{}, false
	}
	return tag{kind: companion, star: g.star, field: known.Object.ID}, true
}

// companionIn returns the companion that another one holds where the tag points to.
func (l *lowerer) companionIn(g tag) (*isolate.Companion, bool) {
	for _, known := range l.Stars.Companions(g.star) {
		if known.Object.ID == g.field {
			return l.Stars.CompanionIn(known, g.path)
		}
	}
	return nil, false
}

// leadsToCompanion tells whether v may point to a companion of an object of the
// checked type.
func (l *lowerer) leadsToCompanion(n *pointsto.Node, v ssa.Value) bool {
	return ssaflow.IsPointerLike(v.Type()) && slices.ContainsFunc(l.Graph.PointsTo(n, v).Objects(), l.Stars.IsCompanion)
}

// returnedCompanions returns the tags of a result that may be a companion of a star.
func (l *lowerer) returnedCompanions(callee *pointsto.Node, i int) (all []tag) {
	for _, b := range callee.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, g := range l.companionsOf(callee, ret.Results[i]) {
			if !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	return all
}

// companionsOf returns the tags of the companions that a value may be.
func (l *lowerer) companionsOf(n *pointsto.Node, v ssa.Value) (all []tag) {
	for _, o := range l.Graph.PointsTo(n, v).Objects() {
		for _, known := range l.Stars.CompanionsAt(o) {
			all = append(all, tag{kind: companion, star: known.Star, field: o.ID})
		}
	}
	return all
}

// companionLock returns the key of the lock that a pointer into a companion points
// to.
func (l *lowerer) companionLock(c *clone, g tag, receiver ssa.Value) (key lockKey, ok bool) {
	for _, cell := range l.Graph.PointsTo(c.node, receiver).Cells() {
		if cell.Object.ID != g.field || cell.Path != g.path {
			continue
		}
		if l.Kept.Locks[cell] {
			return lockKey{star: -1, cell: cell}, true
		}
		return lockKey{star: g.star, cell: cell}, !strings.Contains(g.path, "[]")
	}
	return lockKey{}, false
}

// companionOfCond returns the lock of a condition variable that is the companion of a star
// and has a lock that is one, too; g is the tag of the field.
func (l *lowerer) companionOfCond(g tag) (lock int, ok bool) {
	cond, ok := l.Stars.CompanionAt(g.star, g.path)
	if !ok {
		return 0, false
	}
	inner, ok := l.Stars.CompanionIn(cond, "L")
	if !ok {
		return 0, false
	}
	key := lockKey{star: g.star, cell: pointsto.Cell{Object: inner.Object}}
	if l.Kept.Locks[key.cell] {
		key.star = -1
	}
	return l.lockIndex(key, lockset.KindOf(inner.Object.Type)), !l.ambiguous[key]
}

// areCompanionsOfConds tells whether a field that holds the address of a condition variable
// holds such a one in every object that may be a star.
func (l *lowerer) areCompanionsOfConds(n *pointsto.Node, field ssa.Value) bool {
	cells := l.Graph.PointsTo(n, field).Cells()
	for _, cell := range cells {
		stars := l.Stars.StarsAt(cell)
		for _, k := range stars {
			cond, ok := l.Stars.CompanionAt(k, l.Stars.PathOf(k, cell))
			if !ok {
				return false
			}
			if _, ok := l.Stars.CompanionIn(cond, "L"); !ok {
				return false
			}
		}
		if len(stars) == 0 {
			return false
		}
	}
	return len(cells) > 0
}
