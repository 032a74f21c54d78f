package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// mergedLock returns the lock that stands for all that an operation may be on, if
// locks are merged; otherwise the operation is not modelled.
func (l *lowerer) mergedLock(cells []pointsto.Cell, at ssa.CallInstruction) (index int, ok bool) {
	if len(cells) == 0 {
		l.assumeUnmodelled(at, "it may be one of several locks at run time")
		return 0, false
	}
	if len(cells) == 1 && (l.Kept.Idle[cells[0]] || l.Kept.Wide[cells[0]]) {
		if l.Kept.Wide[cells[0]] {
			l.assumeUnmodelled(at, "too much of the program uses it")
		}
		return 0, false
	}
	merged, ok := l.Kept.Merged[cells[0]]
	if !ok {
		l.assumeUnmodelled(at, "it may be one of several locks at run time")
		return 0, false
	}
	l.assume("merged lock", at.Pos(), "the lock used here may be one of several at run time and counts as one: what "+
		"goroutines that hold different ones do to each other is not seen")
	kind := esl.Mutex
	if merged.RW {
		kind = esl.RW
	}
	return l.lockIndex(lockKey{star: -1, cell: merged.Of}, kind), true
}
