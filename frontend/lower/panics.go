package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/segments"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// A panic matters only where it may be recovered: else it ends the program. So
// panics are followed in the functions with a deferred call that recovers, and in
// what they call. There, each function has a clone for each way in which it can be
// left, and a caller continues after it accordingly: behind the call, or with its
// own deferred calls.

// exitKind is a way to leave a function.
type exitKind uint8

const (
	exitReturn  exitKind = iota
	exitRecover          // a deferred call: it has recovered the panic that it was run for
	exitPanic
	exitGone // the goroutine ends, by runtime.Goexit: the deferred calls run up to its beginning
)

// followsPanics tells whether it matters to the clone that what it does panics.
func (c *clone) followsPanics() bool { return c.recovers || c.exit == exitPanic }

// unwound returns the state in which the panic leaves the instruction at: of the
// values only those are known that the way after a recovery needs.
func (l *lowerer) unwound(c *clone, s state, at ssa.Instruction) state {
	if call, ok := at.(ssa.CallInstruction); ok {
		// What is called may have published what it was handed.
		for _, v := range append([]ssa.Value{call.Common().Value}, call.Common().Args...) {
			s.private &^= l.escaping(c, s, v)
		}
	}
	s.panicking = true
	return c.keepForRecovery(s)
}

// keepForRecovery returns the state without the values that the way after a
// recovery does not need.
func (c *clone) keepForRecovery(s state) state {
	s.idle, s.visited = 0, 0 // it leaves all loops
	var live ssaflow.Values
	if c.fn.Func.Recover != nil {
		live = c.fn.LiveIn[c.fn.Func.Recover.Index]
	}
	s.tags = s.tags.Only(func(v ssa.Value, _ tag.Tag) bool {
		a, ok := v.(*ssa.Alloc)
		return live.Has(v) || ok && c.fn.localCells[a]
	})
	return s
}

// unwind lowers the deferred calls of a function that panics, and how it ends then.
func (l *lowerer) unwind(c *clone, seg *segment) {
	s := seg.state
	l.count(1)
	switch {
	case len(s.defers) > 0:
		outcomes := l.runDeferred(c, s)
		seg.End = segments.Jump
		for _, o := range outcomes {
			l.proceed(c, seg, o, func() int { return l.unwindingAt(c, o.state) })
		}
		if len(outcomes) == 0 {
			seg.End = segments.Stuck
		}
	case s.exiting:
		seg.ending = &ending{seg.Stmts, s, nil}
	case !s.panicking && c.fn.Func.Recover != nil:
		l.jump(c, seg, nil, s, []*ssa.BasicBlock{c.fn.Func.Recover})
	case !s.panicking || c.exit != exitPanic:
		seg.End = segments.Stuck
	default:
		seg.ending = &ending{seg.Stmts, s, nil}
	}
}

// panicEndsUnit tells whether a panic that leaves the clone ends its unit of work, if it has
// one, with nothing done to the set on the way. Then what was read before matters until there
// as it does until a return.
func (l *lowerer) panicEndsUnit(c *clone) bool {
	if c.recovers || c.deferred || l.Touching().Nested[c.node] {
		return false
	}
	for _, b := range c.fn.Func.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok && l.CallTouches(c.node, d) {
				return false
			}
		}
	}
	return true
}

// unwindingAt returns the index of the segment that runs the deferred calls in the
// state.
func (l *lowerer) unwindingAt(c *clone, s state) int {
	if s.breaksPromise() {
		return c.stuck(s) // another path has decided otherwise
	}
	s.promises = nil
	s = c.keepForRecovery(s)
	l.room = l.appendKey(append(l.room[:0], 'u'), c, s)
	return c.segmentFor(l.room, segment{unwinds: true, state: s})
}

// exitsOf returns the ways in which a call of the callee can go on in c: each has a
// clone of the callee.
func (l *lowerer) exitsOf(c *clone, s state, at ssa.CallInstruction, callee *pointsto.Node) (
	exits []exitKind, deferred bool) {
	exits = []exitKind{exitReturn}
	if _, isGo := at.(*ssa.Go); isGo || c.node == nil {
		return exits, false
	}
	if c.followsPanics() {
		exits = append(exits, exitPanic)
	}
	if l.MayExit(callee) {
		exits = append(exits, exitGone)
	}
	_, isDefer := at.(*ssa.Defer)
	deferred = (isDefer && s.panicking || c.deferred && modref.IsWrapper(c.fn.Func)) && l.MayRecover(callee, 0)
	if deferred {
		exits = append(exits, exitRecover)
	}
	return exits, deferred
}

// after returns the state after the callee was left in the given way.
func (s state) after(exit exitKind) state {
	switch {
	case exit == exitPanic:
		s.panicking = true
	case exit == exitGone:
		s.exiting = true
	case exit == exitRecover && s.panicking:
		s.panicking = false
	case exit == exitRecover: // in a wrapper
		s.recovered = true
	}
	return s
}

// recoverCall lowers a call of recover: it returns the value of the panic to the
// deferred function that the panic runs, once; else nil.
func (l *lowerer) recoverCall(c *clone, s state, result ssa.Value) []outcome {
	panics := c.deferred && !s.recovered
	s.recovered = s.recovered || panics
	if result == nil {
		return one(nil, s)
	}
	if l.choices.IsPlain(c.node, result) {
		return one(nil, s.with(result, tag.NilnessTag(!panics)))
	}
	return l.results(s, result, l.choices.Unknown(c.node, result))
}

// mayPanic tells whether the instruction may panic, by itself or in what it calls.
// Where it is known to be a star, a pointer is not nil.
func (l *lowerer) mayPanic(c *clone, s state, instr ssa.Instruction) bool {
	isNil := func(v ssa.Value) bool {
		return l.tagOf(c, s, v).Kind != tag.Object && !ssaflow.IsChecked(v, instr.Block())
	}
	return modref.MayPanic(instr, isNil)
}

// panicsAlike tells whether a panic after the instruction does the same as one
// before it: what the deferred calls find is the same.
func (c *clone) panicsAlike(before, after state, instr ssa.Instruction) bool {
	if store, ok := instr.(*ssa.Store); ok {
		if a, ok := store.Addr.(*ssa.Alloc); ok && c.fn.localCells[a] {
			return false
		}
	}
	return len(before.defers) == len(after.defers) && before.made == after.made && before.pushed == after.pushed &&
		before.recovered == after.recovered
}

// panicSplit ends seg before an instruction that may panic: it does, or control
// goes on.
func (l *lowerer) panicSplit(c *clone, seg *segment, b *ssa.BasicBlock, instr int, s state) {
	seg.End = segments.Jump
	c.segments = append(c.segments, &segment{block: b, instr: instr, state: s, calm: true})
	goesOn := len(c.segments) - 1
	seg.Next = []int{goesOn, l.unwindingAt(c, l.unwound(c, s, b.Instrs[instr]))}
}

// leave ends seg with a return to the caller, with all units closed.
func (l *lowerer) leave(c *clone, seg *segment, s state, pos token.Pos, out *uint) {
	if c.makes >= 0 && !s.made && !l.Stars.Stars[c.makes].Single ||
		s.pushed != c.pushes || c.exit != exitPanic && c.exit != exitGone && s.recovered != (c.exit == exitRecover) {
		// It is another clone's way: of the one that makes no star, or that
		// has left other deferred calls behind, or that has not recovered.
		seg.End = segments.Stuck
		return
	}
	*out &= s.private
	c.replaced &= s.replaced
	l.learn(c, s)
	for i := len(c.units) - 1; i >= 0; i-- {
		if !c.units[i].Direct || s.opened&(1<<i) != 0 {
			seg.Stmts = append(seg.Stmts, c.units[i].Finish(l.Program.Position(pos)))
		}
	}
	seg.End = segments.Return
}
