package lower

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/tag"
)

// A context that is evidently done only when it is cancelled is a flag that is set then.
// One with a deadline, or made again and again, may be done at any time.

// contextFlag returns the flag that says that a modelled context was cancelled.
func (l *lowerer) contextFlag(o *pointsto.Object) int {
	before := map[*pointsto.Object]bool{}
	for _, c := range l.Kept.Contexts {
		for _, other := range append([]*pointsto.Object{c.Object}, c.Ancestors...) {
			if other.ID < o.ID {
				before[other] = true
			}
		}
	}
	flag := l.flag(fmt.Sprintf("cancelled_%d", len(before)+1))
	l.signals[flag] = true
	return flag
}

// doneAfter returns the statements that wait for one of the contexts that the value may
// be to be done, one for each reason; ok is false if one of them may be done at any time.
func (l *lowerer) doneAfter(n *pointsto.Node, ctx ssa.Value, at ssa.Instruction) (ways []esl.Stmt, ok bool) {
	if knowledge.IsBackground(ctx) {
		return nil, true
	}
	objects := l.Graph.PointsTo(n, ctx).Objects()
	for _, o := range objects {
		known := l.Kept.Contexts[o]
		if known == nil {
			return nil, false
		}
		for _, reason := range append([]*pointsto.Object{o}, known.Ancestors...) {
			ways = append(ways, esl.Stmt{Op: esl.Await, Arg: l.contextFlag(reason), Pos: l.position(at)})
		}
	}
	return ways, len(objects) > 0
}

// doneWays is channelWays for a receive from ctx.Done(); ok is false if it is not evident
// when that is possible.
func (l *lowerer) doneWays(n *pointsto.Node, ch ssa.Value, at ssa.Instruction) (ways []way, ok bool) {
	call, isCall := ch.(*ssa.Call)
	if !isCall || !knowledge.IsContextDone(call.Common()) {
		return nil, false
	}
	reasons, ok := l.doneAfter(n, call.Call.Value, at)
	for _, st := range reasons {
		ways = append(ways, way{[]esl.Stmt{st}, tag.TruthTag(false)})
	}
	return ways, ok
}

// errCall lowers ctx.Err(); ok is false if it is some other call, or not evident when
// there is an error.
func (l *lowerer) errCall(c *clone, s state, at ssa.CallInstruction, result ssa.Value) (outcomes []outcome, ok bool) {
	if result == nil {
		return nil, false
	}
	if l.happensBefore.IsErrorOfContext(c.node, at) {
		return one(nil, s.with(result, tag.NilnessTag(false))), true
	}
	if !knowledge.IsContextErr(at.Common()) {
		return nil, false
	}
	reasons, ok := l.doneAfter(c.node, at.Common().Value, at)
	if !ok {
		return nil, false
	}
	outcomes = one(nil, s.with(result, tag.Tag{Kind: tag.Nilness}))
	for _, st := range reasons {
		outcomes = append(outcomes, outcome{[]esl.Stmt{st}, s.with(result, tag.Tag{Kind: tag.Nilness, Field: 1})})
	}
	return outcomes, true
}

// cancelCall lowers a call of the function that cancels a context; ok is false if it is
// some other call, or the context is not modelled. To cancel again has no effect.
func (l *lowerer) cancelCall(s state, callee *pointsto.Node, at ssa.CallInstruction) (outcomes []outcome, ok bool) {
	if !knowledge.IsCancel(callee.Func) {
		return nil, false
	}
	objects := reduce.CancelledBy(l.Graph, callee)
	if len(objects) != 1 || !l.IsAwaited(objects[0]) {
		return nil, false
	}
	flag := l.contextFlag(objects[0])
	for _, op := range []esl.Op{esl.Set, esl.Await} {
		outcomes = append(outcomes, outcome{[]esl.Stmt{{Op: op, Arg: flag, Pos: l.position(at)}}, s})
	}
	return outcomes, true
}
