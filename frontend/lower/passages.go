package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// passageUnwinds returns, where it matters, the outcomes of a call of a passage that
// itself panics, or ends the goroutine, after anything that it may do.
func (l *lowerer) passageUnwinds(c *clone, o outcome, callee *pointsto.Node, at ssa.CallInstruction) (all []outcome) {
	if !l.Kept.Passages[callee] {
		return nil
	}
	back := l.callbackClone(c, callee, at, exitReturn)
	if back == nil {
		return nil
	}
	unwind := func(exit exitKind) {
		next := o
		next.state.private = 0
		stmts := append(o.stmts[:len(o.stmts):len(o.stmts)], esl.Stmt{Op: esl.Call, Arg: back.index, Pos: l.position(at)})
		all = append(all, outcome{stmts, l.afterExit(c, next.state, exit)})
	}
	if c.followsPanics() {
		unwind(exitPanic)
	}
	if l.MayExit(callee) {
		unwind(exitGone)
	}
	return all
}

// startFromPassage lowers the start of what goroutines run that functions without a model
// start, where there are passages: e is an edge by which callee, which is called at a
// place, leads to it. It is one process for all of them. A goroutine that begins in a passage does,
// in any order and as often as it likes, what that leads to.
func (l *lowerer) startFromPassage(c *clone, callee *pointsto.Node, at ssa.CallInstruction, e pointsto.Edge) (
	starts [][]esl.Stmt) {
	if !l.Kept.Kept[e.Callee] {
		entry := l.ExitSets().Shared(e.Callee)
		back := l.callbackClone(c, e.Callee, at, exitReturn)
		if back == nil {
			return nil
		}
		p := l.passageStart(processKey{entry: entry, makes: callbackMarker}, func() *process {
			key := processKey{node: callee, site: at, entry: entry, makes: callbackMarker}
			return l.operationProcess(key, c, state{},
				one([]esl.Stmt{{Op: esl.Call, Arg: back.index, Pos: l.position(e.Site)}}, state{}))
		})
		return [][]esl.Stmt{{{Op: esl.Start, Arg: p.index, Pos: l.position(at)}}}
	}
	for _, made := range l.makers(c, state{}, e.Callee, at) {
		p := l.passageStart(processKey{entry: e.Callee, makes: made.makes}, func() *process {
			key := processKey{node: callee, site: at, entry: e.Callee, makes: made.makes}
			if e.IsStart() || !l.Kept.Passages[callee] { // else something in between begins the goroutine
				return l.process(key, c, state{}, 0, false, nil)
			}
			call := esl.Stmt{Op: esl.Call, Arg: l.clone(cloneKey{node: e.Callee, makes: made.makes}).index,
				Pos: l.position(e.Site)}
			return l.operationProcess(key, c, state{}, one([]esl.Stmt{call}, state{}))
		})
		starts = append(starts, append(slices.Clip(made.stmts),
			esl.Stmt{Op: esl.Start, Arg: p.index, Pos: l.position(at)}))
	}
	return starts
}

// passageStart returns the process for what passages start, by entry and what it makes.
func (l *lowerer) passageStart(key processKey, create func() *process) *process {
	if l.passageStarts[key] == nil {
		l.passageStarts[key] = create()
	}
	p := l.passageStarts[key]
	p.copies = max(p.copies, l.Copies)
	return p
}
