package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A function may try something, and say whether it could:
//
//	func (q *Queue) put(v int) bool {
//		if q.count == q.limit {
//			return false
//		}
//		q.items = append(q.items, v)
//		q.count++
//		return true
//	}
//
// Where it could not it has done nothing but look. So a loop that waits until it can has done
// nothing in its other iterations, as one that looks itself (isPureIteration, planRounds):
//
//	for !q.put(v) {
//		q.notFull.Wait()
//	}
//
// What such a call has read is forgotten if it fails, and the loop begins anew.

// failure is what a function that tries something returns when it could not.
type failure struct {
	result int
	tag    tag // false, or an error that is not nil
}

// failureOf returns what the call returns when it has only looked; ok is false if that does
// not show.
func (l *lowerer) failureOf(n *pointsto.Node, instr ssa.Instruction) (f failure, ok bool) {
	call, isCall := instr.(*ssa.Call)
	if !isCall || call.Call.StaticCallee() == nil {
		return failure{}, false
	}
	callees := l.Graph.Callees(n, call)
	if len(callees) != 1 || !l.Kept.Kept[callees[0]] || l.Touching().Recursive[callees[0]] {
		return failure{}, false
	}
	fn := callees[0].Func
	for i := range fn.Signature.Results().Len() {
		for _, g := range decisiveResults(fn, i) {
			if l.onlyLooksToReturn(callees[0], i, g) {
				return failure{i, g}, true
			}
		}
	}
	return failure{}, false
}

// onlyLooksToReturn tells whether all ways to a return of the function that may have the
// result only look.
func (l *lowerer) onlyLooksToReturn(n *pointsto.Node, result int, want tag) bool {
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

// mayBe tells whether a boolean or error that is returned may be what the tag says.
func mayBe(v ssa.Value, want tag) bool {
	constant, ok := v.(*ssa.Const)
	switch {
	case !ok:
		return true
	case want.kind == truth:
		return truthTag(ssaflow.IsTrue(constant)) == want
	}
	return nilnessTag(constant.IsNil()) == want
}

// isOver tells whether the iteration in which a call has failed is over before place q, and did
// nothing: then what the call has read no longer matters.
func (r *relevance) isOver(try, q ssaflow.Place, inside ssaflow.PlaceSet, derived map[ssa.Value]bool) bool {
	return !r.usesAny(q, derived) && !r.leavesTrace(try, q, inside) && r.isPureIteration(try, q)
}

// fails tells whether the call has failed in an outcome.
func (l *lowerer) fails(o outcome, try ssa.Value, f failure) bool {
	g := o.state.tags[try]
	if try.(*ssa.Call).Call.Signature().Results().Len() > 1 {
		g = l.tags.part(g, f.result)
	}
	return g == f.tag && !o.state.panicking && !o.state.exiting
}

// stepTry is stepLook for a call that may fail.
func (l *lowerer) stepTry(c *clone, s state, try ssa.Value, f failure) []outcome {
	all := l.step(c, s, try.(ssa.Instruction))
	for i := range all {
		if l.fails(all[i], try, f) {
			all[i].state = all[i].state.withPromise(promise{read: try})
		}
	}
	for _, p := range c.promises(try) {
		s.look = c.promisedKey(p)
		for _, o := range l.step(c, s, try.(ssa.Instruction)) {
			o.state.look = ""
			if l.fails(o, try, f) {
				o.state = o.state.withPromise(p)
				all = append(all, o)
			}
		}
	}
	return all
}
