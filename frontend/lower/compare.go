package lower

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/tag"
)

// comparedObjects returns the tag of a comparison of two pointers to objects of the checked
// type: they are equal if both are the same star, and differ if one is a star and the
// other is not.
func (l *lowerer) comparedObjects(c *clone, s state, v *ssa.BinOp) tag.Tag {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return tag.Tag{}
	}
	if _, isPointer := v.X.Type().Underlying().(*types.Pointer); !isPointer ||
		!l.Stars.Subject.IsSelfOrPointer(v.X.Type()) {
		return tag.Tag{}
	}
	x, y := l.tagOf(c, s, v.X), l.tagOf(c, s, v.Y)
	switch {
	case l.mayBeNil(c, v.X, v, x) || l.mayBeNil(c, v.Y, v, y):
	case l.choices.IsWholeStar(x) && l.choices.IsWholeStar(y):
		return tag.TruthTag((x.Star == y.Star) == (v.Op == token.EQL))
	case l.choices.IsWholeStar(x) && y.Kind == tag.Foreign, x.Kind == tag.Foreign && l.choices.IsWholeStar(y):
		return tag.TruthTag(v.Op == token.NEQ)
	}
	return tag.Tag{}
}
