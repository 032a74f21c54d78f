package lower

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/tag"
)

// companionAt returns the tag of what is loaded from, or copied out of, the field of
// a star that holds its companion.
func (l *lowerer) companionAt(c *clone, v ssa.Value, g tag.Tag) (tag.Tag, bool) {
	known, ok := l.Stars.CompanionAt(g.Star, g.Path)
	if !ok || !slices.Contains(l.Graph.PointsTo(c.node, v).Objects(), known.Object) {
		return tag.Tag{}, false
	}
	return tag.Tag{Kind: tag.Companion, Star: g.Star, Field: known.Object.ID}, true
}

// companionLock returns the key of the lock that a pointer into a companion points
// to.
func (l *lowerer) companionLock(c *clone, g tag.Tag, receiver ssa.Value) (key lockKey, ok bool) {
	for _, cell := range l.Graph.PointsTo(c.node, receiver).Cells() {
		if cell.Object.ID != g.Field || cell.Path != g.Path {
			continue
		}
		if l.Kept.Locks[cell] {
			return lockKey{star: -1, cell: cell}, true
		}
		return lockKey{star: g.Star, cell: cell}, !strings.Contains(g.Path, "[]")
	}
	return lockKey{}, false
}

// companionOfCond returns the lock of a condition variable, in a star or its companion, that
// has a lock that is a companion; g is the tag of the field.
func (l *lowerer) companionOfCond(g tag.Tag) (lock int, ok bool) {
	inner, ok := l.Stars.CompanionAt(g.Star, pointsto.JoinPath(g.Path, "L"))
	if !ok {
		return 0, false
	}
	key := lockKey{star: g.Star, cell: pointsto.Cell{Object: inner.Object}}
	if l.Kept.Locks[key.cell] {
		key.star = -1
	}
	return l.lockIndex(key, lockset.KindOf(inner.Object.Type)), !l.ambiguous[key]
}
