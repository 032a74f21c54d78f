package lower

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// callbacks is the kept functions that a function without a modelled body can run.
type callbacks struct {
	called  []*pointsto.Node // while it runs
	started []pointsto.Edge  // at any time later: on a goroutine of the runtime's; how each is found first

	swallows bool // some function in between goes on when they panic
}

// callbacksOf returns the kept nodes that callee calls back: from the body of a
// function in the tables, or of a goroutine that it starts, or from one that has no
// body (where they may also run on another goroutine, unless it calls them at once).
func (l *lowerer) callbacksOf(callee *pointsto.Node) callbacks {
	found, known := l.facts.callbacks[callee]
	if !known {
		found = l.findCallbacks(callee)
		l.facts.callbacks[callee] = found
	}
	return found
}

// findCallbacks is callbacksOf at the first time.
func (l *lowerer) findCallbacks(callee *pointsto.Node) callbacks {
	type reached struct {
		node    *pointsto.Node
		started bool // on another goroutine
	}
	var found callbacks
	if !l.facts.mayCallBack(callee) {
		return found
	}
	if l.Kept.Passages[callee] {
		return l.exitSets().of(callee)
	}
	seen := map[reached]bool{{callee, false}: true}
	work := []reached{{callee, false}}
	inside := knowledge.IsSynchronisation(callee.Func) // of a container, nothing is modelled but the operation
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		found.swallows = found.swallows || !at.started && l.swallowsPanics(at.node)
		later := l.bodiless(at.node) && !knowledge.CallsAtOnce(at.node.Func)
		for _, e := range l.Graph.Calls(at.node) {
			to := reached{e.Callee, at.started || e.IsStart()}
			if seen[to] || l.Kept.Kept[e.Callee] && l.isHandedNothing(at.node, e) {
				continue
			}
			seen[to] = true
			if !l.Kept.Kept[e.Callee] || inside && knowledge.IsSynchronisation(e.Callee.Func) {
				if l.facts.mayCallBack(e.Callee) {
					work = append(work, to)
				}
				continue
			}
			if (to.started || later) && !slices.ContainsFunc(found.started, func(other pointsto.Edge) bool { return other.Callee == e.Callee }) {
				found.started = append(found.started, e)
			}
			if !to.started {
				found.called = appendNew(found.called, e.Callee)
			}
		}
	}
	return found
}

// appendNew appends n unless it is there.
func appendNew(all []*pointsto.Node, n *pointsto.Node) []*pointsto.Node {
	if slices.Contains(all, n) {
		return all
	}
	return append(all, n)
}

// callbackClone returns an ESL function that runs the callbacks in any order, any
// number of times; nil if there are none. One that is left in another way than by a
// return runs another callback last, which is left so.
func (l *lowerer) callbackClone(c *clone, callee *pointsto.Node, at ssa.CallInstruction, exit exitKind) *clone {
	if l.Kept.Passages[callee] && l.facts.mayCallBack(callee) {
		callee = l.exitSets().shared(callee)
	}
	found := l.callbacksOf(callee)
	if len(found.called)+len(found.started) == 0 {
		return nil
	}
	key := cloneKey{node: callee, makes: callbackMarker, exit: exit}
	if known, ok := l.clones[key]; ok {
		return known
	}
	back := &clone{cloneKey: key, index: len(l.order), goName: callee.Func.String(), built: true}
	back.name = l.uniqueName(back.goName + " [calls back]")
	l.clones[key] = back
	l.order = append(l.order, back)
	loop := &segment{next: []int{1}}
	back.segments = []*segment{loop, {end: endReturn}}
	if exit != exitReturn {
		loop.next = nil
	}
	add := func(next int, stmts ...esl.Stmt) {
		loop.next = append(loop.next, len(back.segments))
		back.segments = append(back.segments, &segment{stmts: stmts, next: []int{next}})
	}
	for _, n := range found.called {
		for _, made := range l.makers(back, state{}, n, at) {
			called := l.clone(cloneKey{node: n, makes: made.makes})
			call := func(called *clone) []esl.Stmt {
				return append(made.stmts[:len(made.stmts):len(made.stmts)], esl.Stmt{Op: esl.Call, Arg: called.index, Pos: l.position(at)})
			}
			add(0, call(called)...)
			if found.swallows || knowledge.IsPrinting(callee.Func) { // the latter prints the panic of a String method
				add(0, call(l.clone(cloneKey{node: n, makes: made.makes, exit: exitPanic}))...)
			}
			if exit != exitReturn {
				add(1, call(l.clone(cloneKey{node: n, makes: made.makes, exit: exit}))...)
			}
		}
	}
	for _, e := range found.started {
		if len(l.Kept.Passages) > 0 {
			for _, stmts := range l.startFromPassage(back, callee, at, e) {
				add(0, stmts...)
			}
			continue
		}
		p := l.process(processKey{node: callee, site: at, entry: e.Callee, makes: -1}, c, state{}, 0, false, nil)
		p.copies = l.Copies
		add(0, esl.Stmt{Op: esl.Start, Arg: l.processIndex(p), Pos: l.position(at)})
	}
	return back
}

// callbackMarker is the makes of a callback clone's key.
const callbackMarker = -2

// bodiless tells whether a kept node has no body to lower: what it does is to call
// back.
func (l *lowerer) bodiless(n *pointsto.Node) bool {
	return len(n.Func.Blocks) == 0 || !l.Graph.Analysed(n)
}

// printsItself tells whether the checked type has a method that the formatting
// function calls instead of reading its fields.
func (l *lowerer) printsItself(printer *ssa.Function) bool {
	if l.Stars.Subject.Type == nil {
		return false
	}
	methods := types.NewMethodSet(types.NewPointer(l.Stars.Subject.Type))
	for _, name := range knowledge.Printers(printer) {
		if methods.Lookup(l.Stars.Subject.Type.Obj().Pkg(), name) != nil {
			return true
		}
	}
	return false
}
