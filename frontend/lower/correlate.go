package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/ssaflow"
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
	s = s.with(cond, truthTag(truth))
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
		if equal && l.mayBeNil(c, x, v, s.tags[x]) {
			return s.with(x, nilnessTag(true))
		}
		if ssaflow.IsError(x.Type()) && s.tags[x].kind == none && l.isPlain(c, x) {
			s = s.with(x, nilnessTag(equal))
		}
	}
	return s
}

// sameError returns the state after an error was found to be another one, of which it may
// be known that it is not nil.
func (l *lowerer) sameError(c *clone, s state, v, other ssa.Value) state {
	if !ssaflow.IsError(v.Type()) || s.tags[v].kind != none || !l.isPlain(c, v) {
		return s
	}
	if _, isConst := v.(*ssa.Const); isConst || l.decisive(c, s, v).kind == nilness {
		return s
	}
	if g := l.decisive(c, s, other); g == nilnessTag(false) {
		return s.with(v, g)
	}
	return s
}

// nilnessTag is the tag of a value of which only this is known.
func nilnessTag(isNil bool) tag {
	if isNil {
		return tag{kind: nilness}
	}
	return tag{kind: nilness, field: 1}
}

// isPlain tells whether the value leads to no star.
func (l *lowerer) isPlain(c *clone, v ssa.Value) bool {
	tags := l.unknown(c.node, v)
	return len(tags) == 1 && tags[0].kind == none && len(l.regionsOf(c.node, v)) == 0
}

// decisive returns the tag of a boolean or an error as far as it is known, else its
// usual tag.
func (l *lowerer) decisive(c *clone, s state, v ssa.Value) tag {
	g := l.tagOf(c, s, v)
	if g.kind != none || !ssaflow.IsError(v.Type()) {
		return g
	}
	switch v := v.(type) {
	case *ssa.Const:
		return nilnessTag(true)
	case *ssa.MakeInterface:
		if l.isPlain(c, v) {
			return nilnessTag(false)
		}
	case *ssa.Call:
		if makesError(v) {
			return nilnessTag(false)
		}
	case *ssa.UnOp:
		if global, ok := v.X.(*ssa.Global); ok && l.isSentinel(global) {
			return nilnessTag(false)
		}
	}
	return g
}

// makesError tells whether the call is of a function that returns a new error.
func makesError(v *ssa.Call) bool {
	callee := v.Call.StaticCallee()
	return callee != nil && (callee.String() == "errors.New" || callee.String() == "fmt.Errorf")
}

// isSentinel tells whether the variable gets an error when it is initialised, and
// keeps it.
func (l *lowerer) isSentinel(global *ssa.Global) bool {
	known, ok := l.sentinels[global]
	if !ok {
		known = l.findSentinel(global)
		l.sentinels[global] = known
	}
	return known
}

func (l *lowerer) findSentinel(global *ssa.Global) bool {
	stores := 0
	for _, use := range l.UsesOf(global) {
		switch v := use.Instr.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			made, ok := v.Val.(*ssa.Call)
			if !ok || !makesError(made) || use.Node.Func.Synthetic != "package initializer" {
				return false
			}
			stores++
		default:
			return false
		}
	}
	return stores > 0
}

// tagOfDecisive returns the tag of a decisive result.
func tagOfDecisive(d relevance.Decisive) tag {
	if d.IsBool {
		return truthTag(d.Is)
	}
	return nilnessTag(d.Is)
}

// zeroCell returns the tag of a variable before the first store.
func (l *lowerer) zeroCell(a *ssa.Alloc) tag {
	t := a.Type().Underlying().(*types.Pointer).Elem()
	switch {
	case ssaflow.IsBool(t):
		return l.tags.compose(cell, []tag{truthTag(false)})
	case ssaflow.IsError(t):
		return l.tags.compose(cell, []tag{nilnessTag(true)})
	}
	return l.tags.compose(cell, []tag{{}})
}

// bindings returns the tag of a closure when it is made. What local variables hold
// may change before it runs.
func (l *lowerer) bindings(c *clone, s state, v *ssa.MakeClosure) tag {
	var parts []tag
	for _, b := range v.Bindings {
		if a, ok := b.(*ssa.Alloc); ok && c.fn.localCells[a] {
			parts = append(parts, tag{})
		} else {
			parts = append(parts, l.tagOf(c, s, b))
		}
	}
	return l.tags.closure(v.Fn.(*ssa.Function), parts)
}

// whenRun returns the tag of a deferred closure when it runs: with what the local
// variables that it captures hold by now.
func (l *lowerer) whenRun(c *clone, s state, v *ssa.MakeClosure, g tag) tag {
	parts := append([]tag(nil), l.tags.parts(g)...)
	for i, b := range v.Bindings {
		if a, ok := b.(*ssa.Alloc); ok && c.fn.localCells[a] && i < len(parts) {
			parts[i] = s.tags[a]
		}
	}
	if len(parts) == 0 {
		return g
	}
	return l.tags.closure(v.Fn.(*ssa.Function), parts)
}
