package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// Whether a lock is held often hangs together with a value: a boolean that says so,
// an error that says that it is not. So branches leave behind what they have found
// out, booleans and errors are followed through variables and results, and constant
// booleans into the functions that they are arguments of.

// branch ends seg with the two ways of an If. On each, the value of the condition is
// known from there on.
func (l *lowerer) branch(c *clone, seg *segment, b *ssa.BasicBlock, s state, cond ssa.Value) {
	for i, succ := range b.Succs {
		l.jump(c, seg, b, l.decided(c, s, cond, i == 0), []*ssa.BasicBlock{succ})
	}
}

// decided returns the state in which the condition is known.
func (l *lowerer) decided(c *clone, s state, cond ssa.Value, truth bool) state {
	if _, isConst := cond.(*ssa.Const); isConst {
		return s
	}
	s = s.with(cond, tag.TruthTag(truth))
	switch v := cond.(type) {
	case *ssa.UnOp:
		if v.Op.String() == "!" {
			return l.decided(c, s, v.X, !truth)
		}
	case *ssa.BinOp:
		equal := (v.Op.String() == "==") == truth
		x := v.X
		if ssaflow.IsNil(x) {
			x = v.Y
		} else if !ssaflow.IsNil(v.Y) {
			if equal {
				s = l.sameError(c, s, v.X, v.Y)
				s = l.sameError(c, s, v.Y, v.X)
			}
			return s
		}
		if equal && l.mayBeNil(c, x, v, s.tags.Of(x)) {
			return s.with(x, tag.NilnessTag(true))
		}
		if ssaflow.IsError(x.Type()) && s.tags.Of(x).Kind == tag.None && l.choices.IsPlain(c.node, x) {
			s = s.with(x, tag.NilnessTag(equal))
		}
	}
	return s
}

// sameError returns the state after an error was found to be another one, of which it may
// be known that it is not nil.
func (l *lowerer) sameError(c *clone, s state, v, other ssa.Value) state {
	if !ssaflow.IsError(v.Type()) || s.tags.Of(v).Kind != tag.None || !l.choices.IsPlain(c.node, v) {
		return s
	}
	if _, isConst := v.(*ssa.Const); isConst || l.decisive(c, s, v).Kind == tag.Nilness {
		return s
	}
	if g := l.decisive(c, s, other); g == tag.NilnessTag(false) {
		return s.with(v, g)
	}
	return s
}

// decisive returns the tag of a boolean or an error as far as it is known, else its
// usual tag.
func (l *lowerer) decisive(c *clone, s state, v ssa.Value) tag.Tag {
	g := l.tagOf(c, s, v)
	if g.Kind != tag.None || !ssaflow.IsError(v.Type()) {
		return g
	}
	return l.choices.ErrorOf(c.node, v)
}

// bindings returns the tag of a closure when it is made. What local variables hold
// may change before it runs.
func (l *lowerer) bindings(c *clone, s state, v *ssa.MakeClosure) tag.Tag {
	var parts []tag.Tag
	for _, b := range v.Bindings {
		if a, ok := b.(*ssa.Alloc); ok && c.fn.localCells[a] && !mustalias.IsSettledAt(a, v) {
			parts = append(parts, tag.Tag{})
		} else {
			parts = append(parts, l.carried(c, s, b))
		}
	}
	return l.choices.Closure(v.Fn.(*ssa.Function), parts)
}

// whenRun returns the tag of a deferred closure when it runs: with what the local
// variables that it captures hold by now.
func (l *lowerer) whenRun(c *clone, s state, v *ssa.MakeClosure, g tag.Tag) tag.Tag {
	parts := append([]tag.Tag(nil), l.tags.Parts(g)...)
	for i, b := range v.Bindings {
		if a, ok := b.(*ssa.Alloc); ok && c.fn.localCells[a] && i < len(parts) {
			parts[i] = s.tags.Of(a)
		}
	}
	if len(parts) == 0 {
		return g
	}
	return l.choices.Closure(v.Fn.(*ssa.Function), parts)
}
