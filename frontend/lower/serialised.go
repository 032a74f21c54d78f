package lower

import (
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/tag"
)

// calledBack returns the statements by which a function is called back. If only loggers call it,
// with a lock of their own held, they are a list for each object that it may be a method of: a
// critical section, where that is a star with one logger.
func (l *lowerer) calledBack(key cloneKey, serialised bool, pos esl.Pos) (ways [][]esl.Stmt) {
	fn := key.node.Func
	if !serialised || fn.Signature.Recv() == nil {
		return [][]esl.Stmt{{{Op: esl.Call, Arg: l.clone(key).index, Pos: pos}}}
	}
	for _, g := range l.choices.UnknownInput(key.node, fn.Params[0]) {
		args := make([]tag.Tag, len(fn.Params))
		args[0] = g
		key.args = l.tags.Compose(tag.Tuple, args)
		way := []esl.Stmt{{Op: esl.Call, Arg: l.clone(key).index, Pos: pos}}
		if g.Kind == tag.Object && g.Path == l.Stars.Stars[g.Star].Path {
			if logger := l.lockSets.LoggerOf(g.Star); logger != nil {
				lock := l.lockIndex(lockKey{star: g.Star, cell: pointsto.Cell{Object: logger}}, esl.Mutex)
				way = []esl.Stmt{{Op: esl.LockOp, Arg: lock, Pos: pos}, way[0], {Op: esl.Unlock, Arg: lock, Pos: pos}}
			}
		}
		ways = append(ways, way)
	}
	return ways
}
