package lower

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
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

// frozenField is a boolean field of a star that is frozen.
type frozenField struct {
	star int
	path string
}

// maxGuessed bounds the fields that the model has goroutines for each value of.
const maxGuessed = 2

// frozenAt returns what is loaded from a frozen field; ok is false if it is no such field, or
// not known here.
func (l *lowerer) frozenAt(c *clone, s state, load *ssa.UnOp) (g tag.Tag, ok bool) {
	at := l.tagOf(c, s, load.X)
	if at.Kind == tag.Holder && load.Op == token.MUL {
		return l.flagAt(load, at)
	}
	if at.Kind != tag.Object || load.Op != token.MUL || !ssaflow.IsBool(load.Type()) ||
		isInConstructor(load.X) || l.Stars.Stars[at.Star].IsOfVariables() {
		return tag.Tag{}, false
	}
	field := frozenField{at.Star, at.Path}
	value, known, is := l.frozenValue(field)
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
	if ssaflow.DecidesBranch(load) && l.operatesOnLocks(load.Parent(), steerDepth) &&
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
		if g := s.tags[earlier]; g.Kind == tag.Truth {
			at := l.tagOf(c, s, mustalias.FieldAsked(cond).X)
			return g, l.Rules.Use(rules.FrozenFlags, at.Kind == tag.Object && l.isFrozenSince(c, frozenField{at.Star, at.Path}))
		}
	}
	return tag.Tag{}, false
}

// isFrozenSince tells whether a field of a star has one value since the clone was entered.
func (l *lowerer) isFrozenSince(c *clone, field frozenField) bool {
	if c.private&modref.ObjectBit(field.star) != 0 || l.Stars.Stars[field.star].IsOfVariables() {
		return false
	}
	for o := range l.Stars.Stars[field.star].Objects {
		if !l.frozen().Is(pointsto.Cell{Object: o, Path: field.path}) {
			return false
		}
	}
	return c.makes < 0
}

// frozenValue returns the value of a field of a star, if it is frozen and the same for all
// objects that may be the star.
func (l *lowerer) frozenValue(field frozenField) (value, known, is bool) {
	known = true
	for i, o := range sortedByID(l.Stars.Stars[field.star].Objects) {
		cell := pointsto.Cell{Object: o, Path: field.path}
		if !l.frozen().Is(cell) {
			return false, false, false
		}
		v, ok := l.frozen().Bool(cell)
		known = known && ok && (i == 0 || v == value)
		value = v
	}
	return value, known, true
}

func sortedByID(set map[*pointsto.Object]bool) (all []*pointsto.Object) {
	for o := range set {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b *pointsto.Object) int { return a.ID - b.ID })
	return all
}

// settledFields is what is known of fields that are not changed, for all rounds of the lowering.
type settledFields struct {
	frozen *isolate.Frozen // of the stars; nil until it is asked for
	flags  *isolate.Flags  // of other objects; nil until they are asked for
}

// frozen returns what is known of the fields of stars.
func (l *lowerer) frozen() *isolate.Frozen {
	if l.settled.frozen == nil {
		l.settled.frozen = isolate.FindFrozen(l.ctx, l.Graph, l.Stars.Watched()...)
	}
	return l.settled.frozen
}

// flagsOf returns the flags of an object, by its ID.
func (l *lowerer) flagsOf(id int) []isolate.Flag {
	if l.settled.flags == nil {
		l.settled.flags = l.Stars.FindFlags(l.ctx)
	}
	return l.settled.flags.Of(id)
}

// isInConstructor tells whether the address is that of a field of an object that is allocated
// in the function.
func isInConstructor(address ssa.Value) bool {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.Alloc:
			return true
		default:
			return false
		}
	}
}

// steerDepth is how many calls deep the operations on locks lie that a field may steer.
const steerDepth = 2

// operatesOnLocks tells whether the function operates on locks, by itself or by what it calls.
func (l *lowerer) operatesOnLocks(fn *ssa.Function, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if call.Common().IsInvoke() {
				if name := call.Common().Method.Name(); name == "Lock" || name == "Unlock" {
					return true
				}
				continue
			}
			callee := call.Common().StaticCallee()
			if callee == nil {
				continue
			}
			if _, is := knowledge.LockOperation(callee); is || depth > 0 && l.operatesOnLocks(callee, depth-1) {
				return true
			}
		}
	}
	return false
}

// valuations returns the values that the guessed fields can have.
func valuations(fields []frozenField) []map[frozenField]bool {
	all := []map[frozenField]bool{{}}
	for _, field := range fields {
		var next []map[frozenField]bool
		for _, known := range all {
			for _, value := range []bool{false, true} {
				with := map[frozenField]bool{field: value}
				for f, v := range known {
					with[f] = v
				}
				next = append(next, with)
			}
		}
		all = next
	}
	return all
}

// lowerRoots lowers everything reachable from the roots, for each value of the guessed fields,
// and returns the clone in which the initial goroutine begins.
func (l *lowerer) lowerRoots() *clone {
	main := &clone{name: "program", goName: "program", segments: []*segment{{}}}
	l.order = append(l.order, main)
	for _, guess := range valuations(l.guessed) {
		l.guess = guess
		l.clones, l.processes, l.passageStarts = map[cloneKey]*clone{}, map[processKey]*process{}, map[processKey]*process{}
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
