package lower

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/segments"
)

// callbackClone returns an ESL function that runs the callbacks in any order, any
// number of times, or one of them at most; nil if there are none. One that is left in
// another way than by a return runs another callback last, which is left so.
func (l *lowerer) callbackClone(c *clone, callee *pointsto.Node, at ssa.CallInstruction, exit exitKind) *clone {
	into := callee
	if l.Kept.Passages[callee] && l.MayCallBack(callee) {
		callee = l.ExitSets().Shared(callee)
	}
	found := l.CallbacksAt(c.node, at, callee)
	if len(found.Called)+len(found.Started) == 0 {
		return nil
	}
	key := cloneKey{node: callee, makes: callbackMarker, exit: exit}
	isOutline := l.Kept.IsOutline && l.Kept.Passages[callee]
	if known, ok := l.clones[key]; ok {
		if isOutline {
			l.enters(known, into, c)
		}
		return known
	}
	back := &clone{cloneKey: key, index: len(l.order), goName: callee.Func.String(), built: true}
	back.name = l.uniqueName(back.goName + " [calls back]")
	l.clones[key] = back
	l.order = append(l.order, back)
	once := knowledge.CallsOnce(callee.Func)
	l.loops[back.index] = (len(l.Coarse) > 0 || isOutline) && !once
	if isOutline {
		l.enters(back, into, c)
	}
	loop := &segment{Segment: segments.Segment{Next: []int{2}}}
	back.segments = []*segment{{Segment: segments.Segment{Next: []int{1}}}, loop,
		{Segment: segments.Segment{End: segments.Return}}}
	if exit != exitReturn && !l.loops[back.index] {
		loop.Next = nil
	}
	add := func(next int, stmts ...esl.Stmt) {
		loop.Next = append(loop.Next, len(back.segments))
		back.segments = append(back.segments, &segment{Segment: segments.Segment{Stmts: stmts, Next: []int{next}}})
	}
	for _, n := range found.Called {
		for _, made := range l.makers(back, state{}, n, at) {
			run := func(next int, exit exitKind) {
				for _, way := range l.calledBack(cloneKey{node: n, makes: made.makes, exit: exit}, found.IsSerialised(n),
					l.position(at)) {
					add(next, slices.Concat(made.stmts, way)...)
				}
			}
			switch {
			case !once:
				run(1, exitReturn)
			case exit == exitReturn:
				run(2, exitReturn)
			}
			if found.Swallows || knowledge.IsPrinting(callee.Func) { // the latter prints the panic of a String method
				run(1, exitPanic)
			}
			if exit != exitReturn && l.loops[back.index] {
				run(1, exit)
			} else if exit != exitReturn {
				run(2, exit)
			}
		}
	}
	for _, e := range found.Started {
		if len(l.Kept.Passages) > 0 {
			for _, stmts := range l.startFromPassage(back, callee, at, e) {
				add(1, stmts...)
			}
			continue
		}
		p := l.process(processKey{node: callee, site: at, entry: e.Callee, makes: -1}, c, state{}, 0, false, nil)
		p.copies = l.Copies
		add(1, esl.Stmt{Op: esl.Start, Arg: p.index, Pos: l.position(at)})
	}
	return back
}

// callbackMarker is the makes of a callback clone's key.
const callbackMarker = -2
