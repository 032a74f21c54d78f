package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/segments"
)

// A call that ends the program (os.Exit, log.Fatal) is the last thing that its goroutine
// does. One that ends the goroutine (runtime.Goexit, and t.Fatal in a test) leaves all
// functions up to the beginning of the goroutine, whose deferred calls run; unlike a
// panic it cannot be recovered from. What runs tests begins a goroutine for each.

// exitCall lowers a call that ends the program or the goroutine; ok is false if the
// callee does no such thing by itself.
func (l *lowerer) exitCall(c *clone, s state, at ssa.CallInstruction, callee *pointsto.Node, result ssa.Value) (
	outcomes []outcome, ok bool) {
	switch {
	case knowledge.EndsGoroutine(callee.Func):
		return one(nil, l.afterExit(c, l.opaque(c, s, at, nil)[0].state, exitGone)), true
	case !knowledge.EndsProgram(callee.Func):
		return nil, false
	}
	outcomes = one(nil, s)
	if effect, logs := knowledge.Accesses(callee.Func); logs {
		outcomes = l.libraryCall(c, s, effect, callee, at, result)
	}
	for i := range outcomes {
		outcomes[i].state.ended = true
	}
	return outcomes, true
}

// afterExit is state.after for a call in c.
func (l *lowerer) afterExit(c *clone, s state, exit exitKind) state {
	if exit == exitGone && l.RunsTests(c.node) {
		exit = exitReturn
	}
	return s.after(exit)
}

// unwinds tells whether only deferred calls run from here on.
func (s state) unwinds() bool { return s.panicking || s.exiting }

// proceed adds the outcome to the choice at the end of seg, with control at a segment
// after it, unless it is the end.
func (l *lowerer) proceed(c *clone, seg *segment, o outcome, at func() int) {
	switch {
	case o.state.unwinds() && o.state.breaksPromise(): // another path has decided otherwise
	case o.state.ended:
		seg.Next = append(seg.Next, l.before(c, o.stmts, c.stuck(o.state)))
	default:
		l.continueAt(c, seg, o, at())
	}
}

// leaveForGood ends seg where all deferred calls have run and the goroutine ends, or the panic goes on.
func (l *lowerer) leaveForGood(c *clone, seg *segment, s state, out *uint) {
	if !s.exiting || c.exit == exitGone || c.root && c.exit == exitReturn {
		l.leave(c, seg, s, c.fn.Func.Pos(), out)
		return
	}
	seg.End = segments.Stuck
}

// callbackUnwinds returns, where it matters, the outcomes of a call whose callback
// panics, or ends the goroutine; o is one without.
func (l *lowerer) callbackUnwinds(c *clone, o outcome, callee *pointsto.Node, at ssa.CallInstruction) []outcome {
	var exits []exitKind
	if c.followsPanics() {
		exits = append(exits, exitPanic)
	}
	if slices.ContainsFunc(l.CallbacksOf(callee).Called, l.MayExit) {
		exits = append(exits, exitGone)
	}
	if _, isGo := at.(*ssa.Go); isGo {
		return nil
	}
	var all []outcome
	for _, exit := range exits {
		back := l.callbackClone(c, callee, at, exit)
		if back == nil {
			continue
		}
		call := esl.Stmt{Op: esl.Call, Arg: back.index, Pos: l.position(at)}
		next := o
		next.state.private = 0
		all = append(all, outcome{append(o.stmts[:len(o.stmts):len(o.stmts)], call), l.afterExit(c, next.state, exit)})
	}
	return append(all, l.passageUnwinds(c, o, callee, at)...)
}
