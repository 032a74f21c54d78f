package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// tryGo lowers errgroup.Group.TryGo: it starts the goroutine, or says that it does
// not.
func (l *lowerer) tryGo(c *clone, s state, at ssa.CallInstruction, group *joinGroup, result ssa.Value) []outcome {
	started := l.start(c, s, at, reduce.Arguments(at.Common())[1], nil, group)
	if result == nil {
		return append(started, outcome{nil, s})
	}
	for i := range started {
		started[i].state = started[i].state.with(result, truthTag(true))
	}
	return append(started, outcome{nil, s.with(result, truthTag(false))})
}

// semaphoreCall lowers an operation on a weighted semaphore: that on a lock, if it
// is one; else it never waits. Acquire may fail, unless its context is never done.
func (l *lowerer) semaphoreCall(c *clone, s state, op knowledge.LockOp, at ssa.CallInstruction, result ssa.Value) []outcome {
	cells := l.Graph.PointsTo(c.node, reduce.Receiver(at.Common())).Cells()
	isLock := len(cells) == 1 && l.Kept.Locks[cells[0]]
	with := func(g tag) state {
		if result == nil {
			return s
		}
		return s.with(result, g)
	}
	var taken []esl.Stmt
	if isLock {
		code := esl.LockOp
		if op == knowledge.Unlock {
			code = esl.Unlock
		}
		lock := l.lockIndex(lockKey{star: -1, cell: cells[0]}, esl.Mutex)
		taken = []esl.Stmt{{Op: code, Arg: lock, Pos: l.position(at)}}
	} else {
		l.assumeUnmodelled(at, "it is a semaphore of another size than one, or one of several")
	}
	switch op {
	case knowledge.TryLock:
		return []outcome{{taken, with(truthTag(true))}, {nil, with(truthTag(false))}}
	case knowledge.Lock:
		all := one(taken, with(tag{kind: nilness}))
		if !knowledge.IsBackground(reduce.Arguments(at.Common())[1]) {
			all = append(all, outcome{nil, with(tag{kind: nilness, field: 1})})
		}
		return all
	}
	return one(taken, s)
}
