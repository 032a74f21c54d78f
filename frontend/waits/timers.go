package waits

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A receive, or a select statement one of whose cases is one, ends as time passes if a timer certainly sends, or
// closes the channel of a context: one that the function has made itself, that nobody else receives from, and that
// has not been stopped.

// letsTimePass is what such a statement does.
const letsTimePass = "lets time pass"

// endsInTime tells whether an instruction waits no longer than until a timer goes off.
func endsInTime(instr ssa.Instruction) bool {
	switch x := instr.(type) {
	case *ssa.UnOp:
		return x.Op == token.ARROW && isTimed(x.X, x, x.Block().Succs)
	case *ssa.Select:
		for i, state := range x.States {
			if state.Send == nil && isTimed(state.Chan, x, caseOf(x, i)) {
				return true
			}
		}
	}
	return false
}

// caseOf returns where control goes if a case of a select statement was chosen.
func caseOf(x *ssa.Select, index int) []*ssa.BasicBlock {
	for _, r := range *x.Referrers() {
		chosen, ok := r.(*ssa.Extract)
		if !ok || chosen.Index != 0 {
			continue
		}
		for _, r := range *chosen.Referrers() {
			is, ok := r.(*ssa.BinOp)
			if !ok || is.Op != token.EQL || !isInt(is.Y, index) {
				continue
			}
			for _, r := range *is.Referrers() {
				if branch, ok := r.(*ssa.If); ok {
					return branch.Block().Succs[:1]
				}
			}
		}
	}
	return x.Block().Succs
}

func isInt(v ssa.Value, n int) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && constant.Compare(k.Value, token.EQL, constant.MakeInt64(int64(n)))
}

// isTimed tells whether something certainly comes from a channel when it is received from at an instruction, from where
// control goes on to some blocks then.
func isTimed(channel ssa.Value, at ssa.Instruction, then []*ssa.BasicBlock) bool {
	switch x := channel.(type) {
	case *ssa.ChangeType:
		return isTimed(x.X, at, then)
	case *ssa.Call:
		if x.Call.IsInvoke() {
			return x.Call.Method.Name() == "Done" && hasDeadline(x.Call.Value)
		}
		return timedBy(x) == knowledge.AfterTime && isOnlyUsedAt(x, at) && !comesBack(at, then, x.Block())
	case *ssa.UnOp:
		field, ok := x.X.(*ssa.FieldAddr)
		if !ok || x.Op != token.MUL {
			return false
		}
		timer, ok := field.X.(*ssa.Call)
		switch {
		case !ok || !isRunning(timer, at):
			return false
		case timedBy(timer) == knowledge.OfTicker:
			return true
		}
		return timedBy(timer) == knowledge.OfTimer && !comesBack(at, then, timer.Block())
	}
	return false
}

// comesBack tells whether control can come to an instruction again, from some blocks, without passing another one.
func comesBack(at ssa.Instruction, from []*ssa.BasicBlock, without *ssa.BasicBlock) bool {
	if without == at.Block() { // where it comes first
		return false
	}
	for _, b := range from {
		if b != without && (b == at.Block() || ssaflow.BlockReaches(b, at.Block(), without)) {
			return true
		}
	}
	return false
}

// timedBy tells how something comes from the channel that a call makes, as time passes.
func timedBy(x *ssa.Call) knowledge.Timed {
	if fn := x.Call.StaticCallee(); fn != nil {
		return knowledge.TimedBy(fn)
	}
	return knowledge.NotTimed
}

// isRunning tells whether a timer, or a ticker, has not been stopped when its channel is received from at an
// instruction, and nobody else receives from that.
func isRunning(timer *ssa.Call, at ssa.Instruction) bool {
	for _, r := range *timer.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			for _, load := range *r.Referrers() {
				channel, ok := load.(*ssa.UnOp)
				if !ok || channel.Op != token.MUL || !isOnlyUsedAt(channel, at) {
					return false
				}
			}
		case *ssa.Defer:
			if fn := r.Call.StaticCallee(); fn == nil || fn.Name() != "Stop" {
				return false
			}
		case *ssa.Call:
			fn := r.Call.StaticCallee()
			if fn == nil || fn.Name() != "Stop" || comesAfter(at, r, timer.Block()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// comesAfter tells whether an instruction may come after another one, without passing a block in between.
func comesAfter(at, first ssa.Instruction, without *ssa.BasicBlock) bool {
	if at.Block() == first.Block() && ssaflow.Precedes(first, at) {
		return true
	}
	return ssaflow.BlockReaches(first.Block(), at.Block(), without)
}

func isOnlyUsedAt(v ssa.Value, at ssa.Instruction) bool {
	for _, r := range *v.Referrers() {
		if _, isDebug := r.(*ssa.DebugRef); r != at && !isDebug {
			return false
		}
	}
	return true
}

// hasDeadline tells whether a context certainly ends.
func hasDeadline(ctx ssa.Value) bool {
	switch x := ctx.(type) {
	case *ssa.Extract:
		made, ok := x.Tuple.(*ssa.Call)
		return ok && x.Index == 0 && isDerived(made)
	case *ssa.Call:
		return isDerived(x)
	}
	return false
}

// isDerived tells whether a call makes a context that certainly ends.
func isDerived(x *ssa.Call) bool {
	switch timedBy(x) {
	case knowledge.WithDeadline:
		return true
	case knowledge.ParentContext:
		return hasDeadline(x.Call.Args[0])
	}
	return false
}
