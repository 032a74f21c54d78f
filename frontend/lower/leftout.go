package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/relevance"
	"github.com/empire-go/empire-go/frontend/tag"
)

// leftOut is the functions that a call may run and that the model leaves out, as far
// as it matters to the caller what they do.
type leftOut struct {
	unknown  bool // one of which nothing is known
	yes, no  bool // one that returns true always, or false
	recovers bool // one that recovers; only known of a deferred call where there is a panic
	exits    bool // one that may end the goroutine
}

// add adds a function.
func (lo *leftOut) add(fn *ssa.Function) {
	switch value, ok := relevance.ConstantResult(fn); {
	case relevance.NeverReturns(fn):
	case !ok:
		lo.unknown = true
	case value:
		lo.yes = true
	default:
		lo.no = true
	}
}

// callLeftOut lowers a call of functions that the model leaves out. A deferred one
// may panic, or recover if one of them does such a thing.
func (l *lowerer) callLeftOut(c *clone, s state, at ssa.CallInstruction, result ssa.Value, left leftOut) []outcome {
	var all []outcome
	if left.unknown || result == nil && (left.yes || left.no) {
		all = l.opaque(c, s, at, result)
	} else {
		if left.yes {
			all = append(all, l.opaque(c, s, at, nil)...)
			all[0].state = all[0].state.with(result, tag.TruthTag(true))
		}
		if left.no {
			no := l.opaque(c, s, at, nil)
			all = append(all, outcome{no[0].stmts, no[0].state.with(result, tag.TruthTag(false))})
		}
	}
	_, isDefer := at.(*ssa.Defer)
	if left.exits {
		all = append(all, one(nil, l.afterExit(c, l.opaque(c, s, at, nil)[0].state, exitGone))...)
	}
	if !isDefer {
		return all // that it panics is modelled before it
	}
	after := l.opaque(c, s, at, nil)[0].state
	if left.recovers {
		all = append(all, one(nil, after.after(exitRecover))...)
	} else if !s.panicking && c.followsPanics() {
		all = append(all, one(nil, after.after(exitPanic))...)
	}
	return all
}
