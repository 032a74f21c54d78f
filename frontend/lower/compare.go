package lower

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// comparedObjects returns the tag of a comparison of two pointers to objects of the checked
// type: they are equal if both are the same star, and differ if one is a star and the
// other is not.
func (l *lowerer) comparedObjects(c *clone, s state, v *ssa.BinOp) tag {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return tag{}
	}
	if _, isPointer := v.X.Type().Underlying().(*types.Pointer); !isPointer || !l.Stars.Subject.IsSelfOrPointer(v.X.Type()) {
		return tag{}
	}
	x, y := l.tagOf(c, s, v.X), l.tagOf(c, s, v.Y)
	switch {
	case l.mayBeNil(c, v.X, v, x) || l.mayBeNil(c, v.Y, v, y):
	case l.isWholeStar(x) && l.isWholeStar(y):
		return truthTag((x.star == y.star) == (v.Op == token.EQL))
	case l.isWholeStar(x) && y.kind == foreign, x.kind == foreign && l.isWholeStar(y):
		return truthTag(v.Op == token.NEQ)
	}
	return tag{}
}

// isWholeStar tells whether the tag is of a pointer to a star, not into it or into
// what is around it, and not to some element of an array.
func (l *lowerer) isWholeStar(g tag) bool {
	return g.kind == object && g.path == l.Stars.Stars[g.star].Path && !strings.Contains(g.path, "[")
}
