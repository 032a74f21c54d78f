package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

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
		if isError(x.Type()) && s.tags[x].kind == none && l.isPlain(c, x) {
			s = s.with(x, nilnessTag(equal))
		}
	}
	return s
}

// sameError returns the state after an error was found to be another one, of which it may
// be known that it is not nil.
func (l *lowerer) sameError(c *clone, s state, v, other ssa.Value) state {
	if !isError(v.Type()) || s.tags[v].kind != none || !l.isPlain(c, v) {
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

// isError tells whether t is the type error.
func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// isBool tells whether t is a boolean type.
func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
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
	if g.kind != none || !isError(v.Type()) {
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

// decisiveResults returns the tags of result i of fn that are told apart because it
// is a boolean or an error that some return knows; nil if it is none.
func decisiveResults(fn *ssa.Function, i int) []tag {
	t := fn.Signature.Results().At(i).Type()
	if !isBool(t) && !isError(t) {
		return nil
	}
	if value, ok := constantResult(fn); ok {
		return []tag{truthTag(value)}
	}
	returns := 0
	for _, b := range fn.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.Recover {
			returns++
		}
	}
	switch {
	case returns < 2 && len(fn.Blocks) < 3:
		return nil // the same on all ways
	case isBool(t):
		return []tag{truthTag(true), truthTag(false)}
	}
	return []tag{nilnessTag(true), nilnessTag(false)}
}

// findLocalCells finds the variables that live in memory though only the function
// itself, and what it defers, use them: results of functions with deferred calls,
// and variables that deferred closures look at. What they hold is followed.
func (f *function) findLocalCells() {
	f.localCells = map[*ssa.Alloc]bool{}
	for _, b := range f.Func.Blocks {
		for _, instr := range b.Instrs {
			a, ok := instr.(*ssa.Alloc)
			if !ok || f.OnceCells[a] {
				continue
			}
			t := a.Type().Underlying().(*types.Pointer).Elem()
			if (isBool(t) || ssaflow.IsPointerLike(t)) && isLocalCell(a) && !ssaflow.IsInCycle(b) {
				f.localCells[a] = true
			}
		}
	}
}

// isLocalCell tells whether the variable is only loaded, stored to, and captured by
// deferred closures that load it.
func isLocalCell(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != ssa.Value(a) || r.Val == ssa.Value(a) {
				return false
			}
		case *ssa.MakeClosure:
			if !isOnlyDeferred(r) {
				return false
			}
			stores := 0
			for i, b := range r.Bindings {
				if b == ssa.Value(a) && !ssaflow.OnlyLoaded(r.Fn.(*ssa.Function).FreeVars[i], &stores) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// isOnlyDeferred tells whether the closure is used by defer statements only, which
// call it.
func isOnlyDeferred(made *ssa.MakeClosure) bool {
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Defer:
			if r.Call.Value != ssa.Value(made) {
				return false
			}
			for _, a := range r.Call.Args {
				if a == ssa.Value(made) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// zeroCell returns the tag of a variable before the first store.
func (l *lowerer) zeroCell(a *ssa.Alloc) tag {
	t := a.Type().Underlying().(*types.Pointer).Elem()
	switch {
	case isBool(t):
		return l.tags.compose(cell, []tag{truthTag(false)})
	case isError(t):
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
