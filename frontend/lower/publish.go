package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
)

// aliased returns the stars whose contents a value without a tag may be.
func (l *lowerer) aliased(c *clone, v ssa.Value) uint {
	var all uint
	for _, at := range l.regionsOf(c.node, v) {
		all |= contentsBit(at.Star)
	}
	return all
}

// isEvidentlyNew tells whether the stored value leads to nothing, or to memory
// made in this function and kept nowhere else.
func isEvidentlyNew(store *ssa.Store) bool {
	switch v := store.Val.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.Alloc:
		return isolate.IsKeptOnlyBy(v, store)
	case *ssa.Slice:
		if a, ok := v.X.(*ssa.Alloc); ok {
			return isolate.IsKeptOnlyBy(a, store)
		}
	}
	return false
}

// publishedBy returns the stars that others may reach once the values are stored
// where the address says. What only a private star leads to stays private.
func (l *lowerer) publishedBy(s state, addr tag, stored ...tag) uint {
	held := (addr.kind == object || addr.kind == contents) && s.private&objectBit(addr.star) != 0
	var all uint
	for _, g := range stored {
		// A function value loaded again says nothing about its bindings.
		if !held || g.kind == closure {
			all |= l.tags.stars(g)
		}
	}
	return all
}
