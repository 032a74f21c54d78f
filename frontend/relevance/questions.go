package relevance

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A condition is a formula over questions: a flag that was computed by && and || is one of what
// they ask, and so is what a helper returns, on each of its ways. So it is one and the same
// whether it was written in one place or in several ones, in a helper, negated, or in a switch.

// maxWays bounds how many blocks are walked through for one value.
const maxWays = 24

// asker finds the formulas of conditions.
type asker struct {
	r     *Function
	known func(mustalias.Question) (answer, bool) // that was asked before
	leaf  func(mustalias.Question) answer
	note  func(mustalias.Question, answer)

	entered func(head *ssa.BasicBlock) []int // by which ways the head of a loop was entered, if that shows
}

// ask returns the formula of a condition, in a helper if in is not nil.
func (k *asker) ask(cond ssa.Value, in *ssa.Call) answer {
	q, negated := mustalias.Ask(cond)
	q.In = in
	return k.answer(q).negatedIf(negated)
}

func (k *asker) answer(q mustalias.Question) answer {
	if a, ok := evident(q); ok {
		return a
	}
	if a, ok := k.known(q); ok {
		return a
	}
	a, ok := k.expand(q)
	if !ok {
		return k.leaf(q)
	}
	k.note(q, a)
	return a
}

// askAbout returns the formula of a question with another value in the place of X, which it was
// found to be.
func (k *asker) askAbout(q mustalias.Question, x ssa.Value, in *ssa.Call) answer {
	if q.Op == 0 {
		return k.ask(x, in)
	}
	q.X, q.In = x, in
	return k.answer(q)
}

// evident answers a question of constants, and whether what was just made is nil.
func evident(q mustalias.Question) (answer, bool) {
	x, isConst := q.X.(*ssa.Const)
	y, alsoConst := q.Y.(*ssa.Const)
	switch {
	case q.Op == 0 && isConst:
		return constantly(ssaflow.IsTrue(x)), true
	case isConst && alsoConst && x.Value != nil && y.Value != nil:
		return constantly(constant.Compare(x.Value, q.Op, y.Value)), true
	case isConst && alsoConst && x.IsNil() && y.IsNil():
		return constantly(q.Op == token.EQL), true
	case alsoConst && y.IsNil() && q.Op == token.EQL && isMade(q.X):
		return constantly(false), true
	}
	return answer{}, false
}

// isMade tells whether the value is evidently not nil.
func isMade(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.MakeClosure, *ssa.Function:
		return true
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		return callee != nil && knowledge.Of(callee).Makes == knowledge.NewError
	}
	return false
}

// expand returns the formula of a question about a value that control flow, or a helper, has
// chosen. ok is false if it is none, or takes too long.
func (k *asker) expand(q mustalias.Question) (a answer, ok bool) {
	if _, isConst := q.Y.(*ssa.Const); q.Y != nil && !isConst {
		return answer{}, false
	}
	w := &ways{k: k, q: q, left: maxWays}
	switch v := q.X.(type) {
	case *ssa.Phi:
		if slices.ContainsFunc(v.Block().Preds, v.Block().Dominates) {
			return k.expandLoop(q, v)
		}
		w.phi, w.in = v, q.In
		a = w.from(v.Block().Idom(), nil)
	default:
		call, result := resultOf(v)
		if q.In != nil || call == nil || !k.r.IsLook(call) {
			return answer{}, false
		}
		w.result, w.in = result, call
		a = w.from(call.Call.StaticCallee().Blocks[0], nil)
	}
	return a, w.left > 0
}

// expandLoop returns the formula of a question about a variable of a loop, which has another value
// in each iteration, where the loop can have been entered by one way only.
func (k *asker) expandLoop(q mustalias.Question, phi *ssa.Phi) (a answer, ok bool) {
	if q.In != nil {
		return answer{}, false
	}
	ways := k.entered(phi.Block())
	if len(ways) != 1 || phi.Edges[ways[0]] == ssa.Value(phi) {
		return answer{}, false
	}
	if _, isPhi := phi.Edges[ways[0]].(*ssa.Phi); isPhi {
		return answer{}, false
	}
	return k.askAbout(q, phi.Edges[ways[0]], nil), true
}

// resultOf returns the call that a value is a result of, and which.
func resultOf(v ssa.Value) (*ssa.Call, int) {
	result := 0
	if extract, ok := v.(*ssa.Extract); ok {
		v, result = extract.Tuple, extract.Index
	}
	call, _ := v.(*ssa.Call)
	if call == nil || ssaflow.IsAtomicLoad(call) {
		return nil, 0
	}
	if callee := call.Call.StaticCallee(); callee == nil || len(callee.Blocks) == 0 {
		return nil, 0
	}
	return call, result
}

// ways are those on which a value is chosen: to a phi, or through a helper.
type ways struct {
	k      *asker
	q      mustalias.Question
	phi    *ssa.Phi
	result int
	in     *ssa.Call
	left   int // 0: too many
}

// from returns the formula of the question as it is answered when control goes on from the
// beginning of a block.
func (w *ways) from(b, pred *ssa.BasicBlock) answer {
	if w.left--; w.left <= 0 {
		w.left = 0
		return unknown()
	}
	if w.phi != nil && pred != nil && b == w.phi.Block() {
		for i, p := range b.Preds {
			if p == pred {
				return w.k.askAbout(w.q, w.phi.Edges[i], w.in)
			}
		}
	}
	switch last := b.Instrs[len(b.Instrs)-1].(type) {
	case *ssa.Jump:
		return w.from(b.Succs[0], b)
	case *ssa.If:
		if b.Succs[0] == b.Succs[1] {
			break
		}
		return w.k.ask(last.Cond, w.in).choose(w.from(b.Succs[0], b), w.from(b.Succs[1], b))
	case *ssa.Return:
		if w.phi != nil { // a way past it
			break
		}
		if v := returnedBy(last, w.result); v != nil {
			return w.k.askAbout(w.q, v, w.in)
		}
	}
	w.left = 0
	return unknown()
}

// returnedBy returns what a return returns, also if it is kept in a variable while deferred calls
// run; nil if that does not show.
func returnedBy(ret *ssa.Return, result int) ssa.Value {
	load, ok := ret.Results[result].(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return ret.Results[result]
	}
	variable, ok := load.X.(*ssa.Alloc)
	if !ok {
		return load
	}
	var value ssa.Value
	for _, instr := range ret.Block().Instrs {
		if store, ok := instr.(*ssa.Store); ok && store.Addr == ssa.Value(variable) {
			value = store.Val
		}
	}
	if !ssaflow.IsOwnVariable(variable) {
		return nil
	}
	return value
}
