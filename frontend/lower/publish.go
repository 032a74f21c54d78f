package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/modref"
)

// escaping returns what others can reach once they have the value. Of a value that
// is not known, or of a function value, that is what can be reached through its
// points-to set.
func (l *lowerer) escaping(c *clone, s state, v ssa.Value) uint {
	if s.private == 0 || !fresh.HoldsPointers(v.Type()) {
		return 0
	}
	g := l.tagOf(c, s, v)
	all := l.tags.stars(g)
	if g.kind == object || g.kind == contents || g.kind == foreign {
		return all
	}
	return all | l.Reached(c.node, v)
}

// publishedBy returns the stars that others may reach once the values are stored
// where the address says. What only a private star leads to stays private.
func (l *lowerer) publishedBy(s state, addr tag, stored ...tag) uint {
	held := (addr.kind == object || addr.kind == contents) && s.private&modref.ObjectBit(addr.star) != 0
	var all uint
	for _, g := range stored {
		// A function value loaded again says nothing about its bindings.
		if !held || g.kind == closure {
			all |= l.tags.stars(g)
		}
	}
	return all
}
