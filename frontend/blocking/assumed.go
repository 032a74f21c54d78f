package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// What is done with a channel of which it is not known which one it is counts as done, so that nobody who may go on
// waits in the model. It may be that it never is: what a goroutine comes to only in that way, as the case of a select
// for a channel that nobody uses, is perhaps never reached. That it waits there for ever, or ends the program, is in
// doubt.

// take notes that an activation goes on as an operation is taken to be done.
func (l *lowerer) take(s *state, a arm, at ssa.Instruction) {
	if a.isAssumed {
		s.top().assumed = at.Block()
	}
	if a.timer != nil {
		l.expires(s, a.timer, at)
	}
	if a.over != nil && !a.over.isMany {
		s.put(seen(cell{a.over, "over"}), truth(true))
	}
}

// isAssumed tells whether a state is one that is reached only by such an operation: in each of its calls that holds
// until control comes to where it could have come without it.
func (s *state) isAssumed() bool {
	for _, a := range s.stack {
		if a.assumed != nil {
			return true
		}
	}
	return false
}

// statement is where a goroutine does something.
type statement struct {
	process int
	pos     esl.Pos
}

// noteReached notes what is done in a state.
func (l *lowerer) noteReached(e effect, isAssumed bool) {
	for _, o := range e.outcomes {
		for _, stmt := range o.stmts {
			at := statement{l.process.index, stmt.Pos}
			is, ok := l.assumed[at]
			l.assumed[at] = isAssumed && (is || !ok)
		}
	}
}

// Assumed tells whether a goroutine comes to a statement only if an operation is done of which it is not known which
// channel it is on.
func (m *Model) Assumed(process int, pos esl.Pos) bool { return m.assumed[statement{process, pos}] }
