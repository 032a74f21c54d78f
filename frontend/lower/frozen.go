package lower

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/segments"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// A frozen field (isolate.Frozen) of a star has one value as long as others can reach the star.
// Where locks are taken or not by such a field, as in
//
//	if l.shared {
//		l.mu.Lock()
//	}
//
// what it holds matters. If that is not known, the model has all goroutines twice: as they
// are if it is false, and as they are if it is true.

// maxGuessed bounds the fields that the model has goroutines for each value of.
const maxGuessed = 2

// frozenAt returns what is loaded from a frozen field; ok is false if it is no such field, or
// not known here.
func (l *lowerer) frozenAt(c *clone, s state, load *ssa.UnOp) (g tag.Tag, ok bool) {
	at := l.tagOf(c, s, load.X)
	if at.Kind == tag.Holder && load.Op == token.MUL {
		return l.holders.FlagAt(load, at)
	}
	if at.Kind != tag.Object || load.Op != token.MUL || !ssaflow.IsBool(load.Type()) ||
		ssaflow.IsFieldOfLocal(load.X) || l.Stars.Stars[at.Star].IsOfVariables() {
		return tag.Tag{}, false
	}
	field := tag.FrozenField{Star: at.Star, Path: at.Path}
	value, known, is := l.holders.FrozenValue(field)
	switch {
	case !is:
		return tag.Tag{}, false
	case l.Rules.Use(rules.FrozenFlags, known):
		return tag.TruthTag(value), true
	}
	if value, guessed := l.guess[field]; l.Rules.Use(rules.FrozenFlags, guessed) {
		return tag.TruthTag(value), true
	}
	if len(l.guessed) == maxGuessed {
		l.Rules.SwitchOff(rules.FrozenFlags)
	}
	if ssaflow.DecidesBranch(load) && lockset.OperatesOnLocks(load.Parent()) &&
		len(l.guessed) < maxGuessed && !slices.Contains(l.guessed, field) {
		l.guessed = append(slices.Clip(l.guessed), field)
		l.lost = true
	}
	return tag.Tag{}, false
}

// decidedBefore returns what a condition on a frozen field is, if the same was asked before on this
// path, as max > 0 in
//
//	if c.max > 0 && len(c.items) >= c.max {
//		return errFull
//	}
//	...
//	if c.max > 0 && len(c.items) >= c.max {
func (l *lowerer) decidedBefore(c *clone, s state, cond ssa.Value) (g tag.Tag, ok bool) {
	for _, earlier := range c.fn.Asked[cond] {
		if g := s.tags.Of(earlier); g.Kind == tag.Truth {
			at := l.tagOf(c, s, mustalias.FieldAsked(cond).X)
			field := tag.FrozenField{Star: at.Star, Path: at.Path}
			return g, l.Rules.Use(rules.FrozenFlags, at.Kind == tag.Object && l.isFrozenSince(c, field))
		}
	}
	return tag.Tag{}, false
}

// isFrozenSince tells whether a field of a star has one value since the clone was entered.
func (l *lowerer) isFrozenSince(c *clone, field tag.FrozenField) bool {
	if c.private&modref.ObjectBit(field.Star) != 0 || l.Stars.Stars[field.Star].IsOfVariables() {
		return false
	}
	return c.makes < 0 && l.holders.IsFrozen(field)
}

// lowerRoots lowers everything reachable from the roots, for each value of the guessed fields,
// and returns the clone in which the initial goroutine begins.
func (l *lowerer) lowerRoots() *clone {
	main := &clone{name: "program", goName: "program", segments: []*segment{{}}}
	l.order = append(l.order, main)
	for _, guess := range tag.Valuations(l.guessed) {
		l.guess = guess
		l.clones, l.families = map[cloneKey]*clone{}, map[cloneKey]*clone{}
		l.processes, l.passageStarts = map[processKey]*process{}, map[processKey]*process{}
		main.segments[0].Next = append(main.segments[0].Next, len(main.segments))
		main.segments = append(main.segments, &segment{Segment: segments.Segment{Stmts: l.callRoots(), End: segments.Return}})
		if l.err != nil {
			break
		}
	}
	return main
}

// callRoots returns the calls of the roots, one after the other.
func (l *lowerer) callRoots() (stmts []esl.Stmt) {
	s := state{}
	for _, n := range l.Graph.Roots() {
		if !l.Kept.Kept[n] {
			continue
		}
		callee := l.clone(cloneKey{node: n, makes: -1, private: s.private, root: true})
		if l.err != nil {
			return stmts
		}
		stmts = append(stmts, esl.Stmt{Op: esl.Call, Arg: callee.index})
		s.private = callee.privateOut
	}
	return stmts
}
