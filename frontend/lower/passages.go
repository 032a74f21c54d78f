package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// passes tells whether a call of the node stands for what it leads to: it is in the
// tables, or a passage (see package reduce).
func (l *lowerer) passes(n *pointsto.Node) bool {
	return knowledge.CallsBackOnly(n.Func) || l.Kept.Passages[n]
}

// exitSets returns what passages lead to.
func (l *lowerer) exitSets() *exitSets {
	if l.facts.exitSets == nil {
		l.facts.exitSets = l.newExitSets()
	}
	return l.facts.exitSets
}

// leadsToKept tells whether the node is kept, or runs what is.
func (l *lowerer) leadsToKept(n *pointsto.Node) bool {
	return l.Kept.Kept[n] || l.facts.mayCallBack(n)
}

// keptIn returns the kept nodes that a call of the node runs first, in its own goroutine:
// itself, or what it calls back.
func (l *lowerer) keptIn(n *pointsto.Node) []*pointsto.Node {
	if l.Kept.Kept[n] {
		return []*pointsto.Node{n}
	}
	return l.callbacksOf(n).called
}

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
	if l.mayExit(callee) {
		unwind(exitGone)
	}
	return all
}

// swallowsPanics tells whether a passage defers something that is to be seen, or
// recovers: then it goes on when what it calls has panicked.
func (l *lowerer) swallowsPanics(n *pointsto.Node) bool {
	if !l.Kept.Passages[n] {
		return false
	}
	for _, e := range l.Graph.Calls(n) {
		if _, isDefer := e.Site.(*ssa.Defer); isDefer && (l.leadsToKept(e.Callee) || l.mayRecover(e.Callee, 0)) {
			return true
		}
	}
	return false
}

// startFromPassage lowers the start of what goroutines run that functions without a model
// start, where there are passages: e is an edge by which callee, which is called at a
// place, leads to it. It is one process for all of them.
func (l *lowerer) startFromPassage(c *clone, callee *pointsto.Node, at ssa.CallInstruction, e pointsto.Edge) (starts [][]esl.Stmt) {
	for _, made := range l.makers(c, state{}, e.Callee, at) {
		shared := processKey{entry: e.Callee, makes: made.makes}
		p := l.passageStarts[shared]
		if p == nil {
			key := processKey{node: callee, site: at, entry: e.Callee, makes: made.makes}
			if e.IsStart() || !l.Kept.Passages[callee] {
				p = l.process(key, c, state{}, 0, false, nil)
			} else { // something in between begins the goroutine
				call := esl.Stmt{Op: esl.Call, Arg: l.clone(cloneKey{node: e.Callee, makes: made.makes}).index, Pos: l.position(e.Site)}
				p = l.operationProcess(key, c, state{}, one([]esl.Stmt{call}, state{}))
			}
			p.copies = max(p.copies, l.Copies)
			l.passageStarts[shared] = p
		}
		starts = append(starts, append(slices.Clip(made.stmts), esl.Stmt{Op: esl.Start, Arg: l.processIndex(p), Pos: l.position(at)}))
	}
	return starts
}
