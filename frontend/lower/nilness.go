package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// comparedToNil returns the tag of a comparison with nil.
func (l *lowerer) comparedToNil(c *clone, s state, v *ssa.BinOp) tag.Tag {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return tag.Tag{}
	}
	x := v.X
	if ssaflow.IsNil(x) {
		x = v.Y
	} else if !ssaflow.IsNil(v.Y) {
		return l.comparedErrors(c, s, v)
	}
	switch g := l.tagOf(c, s, x); {
	case g.Kind == tag.Nilness:
		return tag.TruthTag((g.Field == 0) == (v.Op == token.EQL))
	case g.Kind == tag.Object && !l.mayBeNil(c, x, v, g):
		return tag.TruthTag(v.Op == token.NEQ)
	case g.Kind == tag.ChannelOf:
		return tag.TruthTag((g.Field < 0) == (v.Op == token.EQL))
	}
	return tag.Tag{}
}

// comparedErrors returns the tag of a comparison of two errors, as with io.EOF: one that
// is nil is none that is not.
func (l *lowerer) comparedErrors(c *clone, s state, v *ssa.BinOp) tag.Tag {
	if !ssaflow.IsError(v.X.Type()) || !ssaflow.IsError(v.Y.Type()) {
		return tag.Tag{}
	}
	x, y := l.decisive(c, s, v.X), l.decisive(c, s, v.Y)
	if x.Kind != tag.Nilness || y.Kind != tag.Nilness || x.Field == y.Field {
		return tag.Tag{}
	}
	return tag.TruthTag(v.Op == token.NEQ)
}

// mayBeNil tells whether a pointer that the tag says is a star may be nil instead. Of
// a star that exists once, the tag says only that the pointer is to no other object; a
// star of several is told apart from what else the pointer may be, nil included.
func (l *lowerer) mayBeNil(c *clone, v ssa.Value, at ssa.Instruction, g tag.Tag) bool {
	return g.Kind == tag.Object && l.Stars.Stars[g.Star].Single && !mustalias.IsFollowedBefore(v, at) &&
		!l.values.IsNeverNil(c.node, v, 0)
}
