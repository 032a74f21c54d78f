package lower

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// comparedToNil returns the tag of a comparison with nil.
func (l *lowerer) comparedToNil(c *clone, s state, v *ssa.BinOp) tag {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return tag{}
	}
	x := v.X
	if ssaflow.IsNil(x) {
		x = v.Y
	} else if !ssaflow.IsNil(v.Y) {
		return l.comparedErrors(c, s, v)
	}
	switch g := l.tagOf(c, s, x); {
	case g.kind == nilness:
		return truthTag((g.field == 0) == (v.Op == token.EQL))
	case g.kind == object && !l.mayBeNil(c, x, v, g):
		return truthTag(v.Op == token.NEQ)
	case g.kind == channelOf:
		return truthTag((g.field < 0) == (v.Op == token.EQL))
	}
	return tag{}
}

// comparedErrors returns the tag of a comparison of two errors, as with io.EOF: one that
// is nil is none that is not.
func (l *lowerer) comparedErrors(c *clone, s state, v *ssa.BinOp) tag {
	if !ssaflow.IsError(v.X.Type()) || !ssaflow.IsError(v.Y.Type()) {
		return tag{}
	}
	x, y := l.decisive(c, s, v.X), l.decisive(c, s, v.Y)
	if x.kind != nilness || y.kind != nilness || x.field == y.field {
		return tag{}
	}
	return truthTag(v.Op == token.NEQ)
}

// mayBeNil tells whether a pointer that the tag says is a star may be nil instead. Of
// a star that exists once, the tag says only that the pointer is to no other object; a
// star of several is told apart from what else the pointer may be, nil included.
func (l *lowerer) mayBeNil(c *clone, v ssa.Value, at ssa.Instruction, g tag) bool {
	return g.kind == object && l.Stars.Stars[g.star].Single && !mustalias.IsFollowedBefore(v, at) && !l.values.IsNeverNil(c.node, v, 0)
}

// failsAssertion tells whether the pointer to a star that an interface holds has not
// the methods of another interface: then the assertion gives nil, or panics.
func (l *lowerer) failsAssertion(g tag, asserted types.Type) bool {
	methods, ok := asserted.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for o := range l.Stars.Stars[g.star].Objects {
		t := pointsto.Cell{Object: o, Path: g.path}.Type()
		if t == nil || types.Implements(types.NewPointer(t), methods) {
			return false
		}
	}
	return true
}
