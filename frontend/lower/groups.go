package lower

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// tryGo lowers errgroup.Group.TryGo: it starts the goroutine, or says that it does
// not.
func (l *lowerer) tryGo(c *clone, s state, at ssa.CallInstruction, group *order.JoinGroup, result ssa.Value) []outcome {
	started := l.start(c, s, at, ssaflow.Arguments(at.Common())[1], nil, group)
	if result == nil {
		return append(started, outcome{nil, s})
	}
	for i := range started {
		started[i].state = started[i].state.with(result, tag.TruthTag(true))
	}
	return append(started, outcome{nil, s.with(result, tag.TruthTag(false))})
}

// semaphoreCall lowers an operation on a weighted semaphore: that on a lock, which who
// takes all of it has for itself, and who takes a part shares with others; if it is not
// evident which semaphore it is, it never waits. Acquire may fail, unless its context is
// never done.
func (l *lowerer) semaphoreCall(c *clone, s state, op knowledge.LockOp, at ssa.CallInstruction,
	result ssa.Value) []outcome {
	with := func(g tag.Tag) state {
		if result == nil {
			return s
		}
		return s.with(result, g)
	}
	var taken []esl.Stmt
	if lock, whole, ok := l.semaphoreFor(c, s, at); ok {
		code := map[bool]esl.Op{true: esl.LockOp, false: esl.RLock}[whole]
		if op == knowledge.Unlock {
			code = map[bool]esl.Op{true: esl.Unlock, false: esl.RUnlock}[whole]
		}
		taken = []esl.Stmt{{Op: code, Arg: lock, Pos: l.position(at)}}
	}
	switch op {
	case knowledge.TryLock:
		return []outcome{{taken, with(tag.TruthTag(true))}, {nil, with(tag.TruthTag(false))}}
	case knowledge.Lock:
		all := one(taken, with(tag.Tag{Kind: tag.Nilness}))
		if !knowledge.IsBackground(ssaflow.Arguments(at.Common())[1]) {
			all = append(all, outcome{nil, with(tag.Tag{Kind: tag.Nilness, Field: 1})})
		}
		return all
	}
	return one(taken, s)
}

// semaphoreFor returns the lock that the operation on a semaphore is on, and whether it
// is on the whole of it; ok is false if it is not modelled.
func (l *lowerer) semaphoreFor(c *clone, s state, at ssa.CallInstruction) (lock int, whole, ok bool) {
	receiver := reduce.Receiver(at.Common())
	cells := l.Graph.PointsTo(c.node, receiver).Cells()
	weight, _ := knowledge.Weight(at.Common())
	evident := len(cells) == 1 && l.Kept.Semaphores[cells[0]] > 0
	if !evident {
		l.setAmbiguous(cells)
		l.assumeUnmodelled(at, "which semaphore it is, or of what size and with which weights, is not evident")
		return 0, false, false
	}
	size := l.Kept.Semaphores[cells[0]]
	kind := esl.RW
	if size == 1 {
		kind = esl.Mutex
	}
	if lock, ok = l.lockOf(c, s, kind, receiver, at); ok {
		l.weighted[lock] = true
	}
	return lock, weight == size, ok
}

// isFlight tells whether the node is singleflight.Group.Do.
func isFlight(n *pointsto.Node) bool {
	op, ok := knowledge.FlightOperation(n.Func)
	return ok && op == knowledge.Do
}

// flightCall lowers singleflight.Group.Do where the group has one key: the function
// runs, and no other of the group's at the same time; or it does not run, because it
// was running already. ok is false if it is some other call.
func (l *lowerer) flightCall(c *clone, s state, callee *pointsto.Node, at ssa.CallInstruction, result ssa.Value) (
	outcomes []outcome, ok bool) {
	if op, flies := knowledge.FlightOperation(callee.Func); !flies || op != knowledge.Do {
		if flies && strings.HasSuffix(callee.Func.Name(), "DoChan") {
			l.assume("singleflight", at.Pos(), "what DoChan runs excludes nobody: it runs elsewhere")
		}
		return nil, false
	}
	args := ssaflow.Arguments(at.Common())
	cells := l.Graph.PointsTo(c.node, args[0]).Cells()
	if len(cells) != 1 || !l.Kept.Locks[cells[0]] {
		l.assume("singleflight", at.Pos(), "what Do runs excludes nobody: the group has several keys, or other operations")
		return nil, false
	}
	pos := l.position(at)
	lock := l.lockIndex(lockKey{star: -1, cell: cells[0]}, esl.Mutex)
	begin, end := esl.Stmt{Op: esl.LockOp, Arg: lock, Pos: pos}, esl.Stmt{Op: esl.Unlock, Arg: lock, Pos: pos}
	after := s
	after.private &^= l.escaping(c, s, args[2]) | l.tags.Stars(l.tagOf(c, s, args[2]))
	ways := one(nil, after)
	known := l.tagOf(c, s, args[2])
	for _, target := range l.NodesOfValue(c.node, args[2]) {
		if known.Kind == tag.Closure && known.Fn != target.Func || !l.Kept.Kept[target] {
			continue
		}
		key := cloneKey{node: target, args: l.calleeArguments(c, s, &ssa.CallCommon{Value: args[2]}, target), makes: -1,
			private: s.private}
		for _, o := range l.callClones(c, after, key, at, nil, true) {
			ways = append(ways, outcome{append(append([]esl.Stmt{begin}, o.stmts...), end), o.state})
		}
	}
	for _, w := range ways {
		outcomes = append(outcomes, l.withResult(c, w.state, w.stmts, result)...)
	}
	return outcomes, true
}
