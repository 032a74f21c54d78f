package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/tag"
)

// escaping returns what others can reach once they have the value. Of a value that
// is not known, or of a function value, that is what can be reached through its
// points-to set.
func (l *lowerer) escaping(c *clone, s state, v ssa.Value) uint {
	if s.private == 0 || !fresh.HoldsPointers(v.Type()) {
		return 0
	}
	g := l.tagOf(c, s, v)
	all := l.tags.Stars(g)
	if g.Kind == tag.Object || g.Kind == tag.Contents || g.Kind == tag.Foreign {
		return all
	}
	return all | l.Reached(c.node, v)
}

// publishedBy returns the stars that others may reach once the values are stored
// where the address says. What only a private star leads to stays private.
func (l *lowerer) publishedBy(s state, addr tag.Tag, stored ...tag.Tag) uint {
	held := (addr.Kind == tag.Object || addr.Kind == tag.Contents) && s.private&modref.ObjectBit(addr.Star) != 0
	var all uint
	for _, g := range stored {
		// A function value loaded again says nothing about its bindings.
		if !held || g.Kind == tag.Closure {
			all |= l.tags.Stars(g)
		}
	}
	return all
}
