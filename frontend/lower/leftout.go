package lower

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// leftOut is the functions that a call may run and that the model leaves out, as far
// as it matters to the caller what they do.
type leftOut struct {
	unknown  bool // one of which nothing is known
	yes, no  bool // one that returns true always, or false
	recovers bool // one that recovers when it is deferred
	exits    bool // one that may end the goroutine
}

// add adds a function.
func (lo *leftOut) add(fn *ssa.Function, recovers bool) {
	lo.recovers = lo.recovers || recovers
	switch value, ok := constantResult(fn); {
	case neverReturns(fn):
	case !ok:
		lo.unknown = true
	case value:
		lo.yes = true
	default:
		lo.no = true
	}
}

// neverReturns tells whether the function evidently panics or runs for ever.
func neverReturns(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			return false
		}
	}
	return len(fn.Blocks) > 0
}

// constantResult returns what the function returns if it is one boolean constant.
func constantResult(fn *ssa.Function) (value, ok bool) {
	for _, b := range fn.Blocks {
		ret, isReturn := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !isReturn {
			continue
		}
		if len(ret.Results) != 1 {
			return false, false
		}
		k, isConst := ret.Results[0].(*ssa.Const)
		if !isConst || k.Value == nil || k.Value.Kind() != constant.Bool || ok && value != constant.BoolVal(k.Value) {
			return false, false
		}
		value, ok = constant.BoolVal(k.Value), true
	}
	return value, ok
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
			all[0].state = all[0].state.with(result, truthTag(true))
		}
		if left.no {
			no := l.opaque(c, s, at, nil)
			all = append(all, outcome{no[0].stmts, no[0].state.with(result, truthTag(false))})
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
	if s.panicking && left.recovers {
		all = append(all, one(nil, after.after(exitRecover))...)
	} else if !s.panicking && c.followsPanics() {
		all = append(all, one(nil, after.after(exitPanic))...)
	}
	return all
}
