package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// What is known of flags that only ever become true (tag.Holders.Growing), functions tell their
// callers of what they were handed.

// foundGrown returns the outcomes of a load from such a flag, if a branch depends on it.
func (l *lowerer) foundGrown(c *clone, load *ssa.UnOp, address tag.Tag, outcomes []outcome) []outcome {
	number, ok := l.holders.Growing(address)
	field, isField := load.X.(*ssa.FieldAddr)
	if !ok || !isField || !ssaflow.DecidesBranch(load) {
		return outcomes
	}
	var all []outcome
	for _, o := range outcomes {
		if o.state.tags.Of(load).Kind == tag.Truth {
			all = append(all, o)
			continue
		}
		all = append(all, outcome{o.stmts, l.know(c, o.state.with(load, tag.TruthTag(true)), field.X, number)},
			outcome{o.stmts, o.state.with(load, tag.TruthTag(false))})
	}
	return all
}

// setGrown returns the outcomes of a store to such a flag.
func (l *lowerer) setGrown(c *clone, store *ssa.Store, address tag.Tag, outcomes []outcome) []outcome {
	number, ok := l.holders.Growing(address)
	field, isField := store.Addr.(*ssa.FieldAddr)
	if ok && isField && ssaflow.IsTrue(store.Val) {
		for i, o := range outcomes {
			outcomes[i].state = l.know(c, o.state, field.X, number)
		}
	}
	return outcomes
}

// know returns the state in which a flag of the object that a value points to is true: it is so
// for the variable that the value was loaded from, and for deferred calls, too.
func (l *lowerer) know(c *clone, s state, v ssa.Value, number int) state {
	g := s.tags.Of(v)
	if g.Kind != tag.Holder || g.Path != "" || l.holders.IsGrown(g, number) {
		return s
	}
	g = l.holders.Grown(g, number)
	s = s.with(v, g)
	variable := ssa.Value(nil)
	if load, ok := v.(*ssa.UnOp); ok && s.tags.Of(load.X).Kind == tag.Cell {
		variable = load.X
		s = s.with(variable, l.tags.Compose(tag.Cell, []tag.Tag{g}))
	}
	defers := append([]deferred(nil), s.defers...)
	for i, d := range defers {
		if d.node == c.node && !ssaflow.IsInCycle(d.instr.Block()) { // else it may be of an earlier object
			defers[i].args = l.knownIn(d, v, variable, g)
		}
	}
	s.defers = defers
	return s
}

// knownIn returns the tags of a deferred call in which a value, and the variable that holds it,
// have another tag.
func (l *lowerer) knownIn(d deferred, v, variable ssa.Value, g tag.Tag) []tag.Tag {
	args := append([]tag.Tag(nil), d.args...)
	for i, operand := range append([]ssa.Value{d.instr.Call.Value}, d.instr.Call.Args...) {
		made, isClosure := operand.(*ssa.MakeClosure)
		switch {
		case operand == v:
			args[i] = g
		case isClosure && variable != nil && args[i].Kind == tag.Closure:
			parts := append([]tag.Tag(nil), l.tags.Parts(args[i])...)
			for j, b := range made.Bindings {
				if b == variable && j < len(parts) {
					parts[j] = l.tags.Compose(tag.Cell, []tag.Tag{g})
				}
			}
			args[i] = l.choices.Closure(args[i].Fn, parts)
		}
	}
	return args
}

// learned is the flags that are true of parameters, as bits, wherever a clone returns.
type learned map[int]uint

// learn notes what is known of the parameters where the clone returns.
func (l *lowerer) learn(c *clone, s state) {
	found := learned{}
	for i, p := range c.fn.Func.Params {
		g := s.tags.Of(p)
		if g.Kind != tag.Holder || g.Path != "" {
			continue
		}
		for number := range l.holders.Flags(g.Field) {
			if l.holders.IsGrown(g, number) {
				found[i] |= 1 << number
			}
		}
	}
	if c.learned == nil {
		c.learned = found
		return
	}
	for i := range c.learned {
		c.learned[i] &= found[i]
	}
}

// told returns the state of the caller after a call of the clone has returned.
func (l *lowerer) told(c *clone, s state, target *clone, args []ssa.Value) state {
	if len(args) != len(target.fn.Func.Params) {
		return s
	}
	for i, known := range target.learned {
		for number := range isolate.MaxFlags {
			if known&(1<<number) != 0 {
				s = l.know(c, s, args[i], number)
			}
		}
	}
	return s
}
