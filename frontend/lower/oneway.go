package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// Values are not modelled, but for boolean fields that only ever become true, as
//
//	if !x.ready.Load() {
//		x.mu.Lock()
//		if !x.ready.Load() {
//			x.data = load()
//			x.ready.Store(true)
//		}
//		x.mu.Unlock()
//	}
//	use(x.data)
//
// Such a field is a flag of the model as well: who finds it true comes after who has set
// it, and after that nobody finds it false. To read it and to look at the flag are two
// steps, the first being that which, with the value found, stays true to the second: what
// happens at once in the program is one of the runs of the model.

// oneWay returns the flag that stands for the value of the field at a location; ok is
// false if the field is no such field.
func (l *lowerer) oneWay(at isolate.Location) (flag int, ok bool) {
	is, known := l.happensBefore.OneWays[at]
	if !known {
		is = l.happensBefore.OnlyBecomesTrue(at)
		l.happensBefore.OneWays[at] = is
	}
	if !l.Rules.Use(rules.OneWayFlags, is) {
		return 0, false
	}
	flag = l.flag(l.Stars.Stars[at.Star].Name + "_" + l.Stars.Subject.Fields[at.Field])
	l.valueFlags[flag] = true
	return flag, true
}

// oneWayAt returns the flag for what a pointer leads to, and whether it certainly leads
// there; ok is false if it does not.
func (l *lowerer) oneWayAt(c *clone, s state, pointer ssa.Value) (flag int, certain, ok bool) {
	var locations []isolate.Location
	switch g := l.tagOf(c, s, pointer); g.Kind {
	case tag.Object:
		if locations = l.Stars.FieldsAt(g.Star, g.Path); len(locations) != 1 ||
			!l.happensBefore.IsField(locations[0], g.Path) {
			return 0, false, false
		}
		certain = true
	case tag.None:
		locations = l.locationsOf(c.node, pointer)
	}
	for _, at := range locations {
		if flag, ok := l.oneWay(at); ok && !at.Apart {
			return flag, certain, true
		}
	}
	return 0, false, false
}

// becomesTrue returns the outcomes of an instruction that may store true.
func (l *lowerer) becomesTrue(c *clone, s state, pointer, value ssa.Value, at ssa.Instruction,
	outcomes []outcome) []outcome {
	if !ssaflow.IsTrue(value) {
		return outcomes
	}
	flag, certain, ok := l.oneWayAt(c, s, pointer)
	if !ok {
		return outcomes
	}
	all := append(l.then(outcomes, esl.Set, flag, at), l.then(outcomes, esl.Await, flag, at)...)
	if !certain {
		all = append(all, outcomes...)
	}
	return all
}

// foundOut returns the outcomes of an instruction that may read such a field, if a branch
// depends on what it finds.
func (l *lowerer) foundOut(c *clone, s state, pointer, result ssa.Value, at ssa.Instruction,
	outcomes []outcome) []outcome {
	if result == nil || !ssaflow.DecidesBranch(result) {
		return outcomes
	}
	flag, certain, ok := l.oneWayAt(c, s, pointer)
	if !ok || !certain {
		return outcomes
	}
	var all []outcome
	for _, o := range outcomes {
		stmt := esl.Stmt{Op: esl.Await, Arg: flag, Pos: l.position(at)}
		all = append(all, outcome{append([]esl.Stmt{stmt}, o.stmts...), o.state.with(result, tag.TruthTag(true))})
	}
	for _, o := range l.then(outcomes, esl.AwaitUnset, flag, at) {
		all = append(all, outcome{o.stmts, o.state.with(result, tag.TruthTag(false))})
	}
	return all
}

// triedToSet returns the outcomes of a compare-and-swap that may set such a field, of
// those in which it does and those in which it does not.
func (l *lowerer) triedToSet(c *clone, s state, pointer ssa.Value, at ssa.Instruction, set, not []outcome) []outcome {
	flag, certain, ok := l.oneWayAt(c, s, pointer)
	if !ok {
		return append(set, not...)
	}
	all := append(l.then(set, esl.Set, flag, at), l.then(not, esl.Await, flag, at)...)
	if !certain {
		all = append(append(all, set...), not...)
	}
	return all
}

// then returns the outcomes with a statement on the flag after them.
func (l *lowerer) then(outcomes []outcome, op esl.Op, flag int, at ssa.Instruction) []outcome {
	var all []outcome
	for _, o := range outcomes {
		all = append(all, outcome{append(o.stmts[:len(o.stmts):len(o.stmts)],
			esl.Stmt{Op: op, Arg: flag, Pos: l.position(at)}), o.state})
	}
	return all
}
