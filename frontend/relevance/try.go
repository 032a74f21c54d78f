package relevance

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Failure is what a function that tries something returns when it could not.
type Failure struct {
	Result int
	Is     Decisive // false, or an error that is not nil
}

// failureOf returns what the call returns when it has only looked; ok is false if that does
// not show.
func (l *Reads) failureOf(n *pointsto.Node, instr ssa.Instruction) (f Failure, ok bool) {
	call, isCall := instr.(*ssa.Call)
	if !isCall || call.Call.StaticCallee() == nil {
		return Failure{}, false
	}
	callees := l.Graph.Callees(n, call)
	if len(callees) != 1 || !l.Kept.Kept[callees[0]] || l.Touching().Recursive[callees[0]] {
		return Failure{}, false
	}
	fn := callees[0].Func
	for i := range fn.Signature.Results().Len() {
		for _, g := range DecisiveResults(fn, i) {
			if l.onlyLooksToReturn(callees[0], i, g) {
				return Failure{Result: i, Is: g}, true
			}
		}
	}
	return Failure{}, false
}

// onlyLooksToReturn tells whether all ways to a return of the function that may have the
// result only look.
func (l *Reads) onlyLooksToReturn(n *pointsto.Node, result int, want Decisive) bool {
	ways := map[*ssa.BasicBlock]bool{}
	var work []*ssa.BasicBlock
	for _, b := range n.Func.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if mayBe(ret.Results[result], want) {
			ways[b], work = true, append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, instr := range b.Instrs {
			if !l.OnlyLooks(n, instr) {
				return false
			}
		}
		for _, p := range b.Preds {
			if !ways[p] {
				ways[p], work = true, append(work, p)
			}
		}
	}
	return n.Func.Recover == nil
}

// mayBe tells whether a boolean or error that is returned may be what is wanted.
func mayBe(v ssa.Value, want Decisive) bool {
	constant, ok := v.(*ssa.Const)
	switch {
	case !ok:
		return true
	case want.IsBool:
		return ssaflow.IsTrue(constant) == want.Is
	}
	return constant.IsNil() == want.Is
}

// isOver tells whether the iteration in which a call has failed is over before place q, and did
// nothing: then what the call has read no longer matters.
func (r *Function) isOver(try, q ssaflow.Place, inside ssaflow.PlaceSet, derived map[ssa.Value]bool) bool {
	return !r.usesAny(q, derived) && !r.leavesTrace(try, q, inside) && r.isPureIteration(try, q)
}
